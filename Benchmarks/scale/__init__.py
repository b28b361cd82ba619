"""Long runs and large databases: what the soak, the many-node and the growth measurements share."""

import pathlib
import sys

# Gateway and service as the interop tests drive them.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Interop"))
