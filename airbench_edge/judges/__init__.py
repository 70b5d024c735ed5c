"""The judge contract and its back ends."""
