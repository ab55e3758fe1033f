"""Whole games as files: recorded, verified and shown again."""
