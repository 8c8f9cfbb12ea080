"""The pages for people, with their forms and pictures."""
