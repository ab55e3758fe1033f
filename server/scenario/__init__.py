"""Rule cases in YAML: a position, answers, and what must come of them."""
