"""What positions and matches are worth: analysis for people, which no opponent's choice reads."""
