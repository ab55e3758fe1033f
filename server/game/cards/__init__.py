"""What the house cards do, one file a house."""
