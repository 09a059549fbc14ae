"""Analysis engine for Sixty-Six, Santase and Schnapsen."""
