"""What programs ask for: HTTP, live connections, and the document that describes both."""
