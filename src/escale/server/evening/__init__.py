"""An evening: people in one room, paired round after round, on phones and at real boards."""
