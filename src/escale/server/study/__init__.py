"""The study on the web: what the house works out for those who learn, ask and look back."""
