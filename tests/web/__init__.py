"""What browsers are given."""
