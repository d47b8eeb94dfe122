// Scoring
