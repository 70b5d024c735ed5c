"""What AIR-Bench is. Pure functions and tables: knows no model, no judge, no terminal."""
