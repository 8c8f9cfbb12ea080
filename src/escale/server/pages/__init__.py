"""What people read: pages, forms, pictures."""
