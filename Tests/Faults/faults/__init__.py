"""Faults, the parts that are broken, and what is asserted of each."""
