"""HTTP before any feature: limits, security, languages, errors. Knows no table."""
