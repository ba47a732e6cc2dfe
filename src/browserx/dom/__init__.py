"""Seeing: from what the eyes told to what a reader is told.

``capture`` gathers (async): one consistent picture of all frames. The rest thinks, in plain functions over values:
``build`` merges the frames into one tree, ``classify`` says what each node is, ``distill`` keeps what is worth reading,
``budget`` makes it fit, and the formats (``outline``, ``nodes``, ``interactive``, ``skeleton``) write it down;
``markup`` gathers (async) the one format that is no view of a look, HTML. ``ids`` names elements, and
``snapshot`` is the value that the rest of the engine acts on.

Knows nodes, roles, geometry and text. Knows nothing of actions, prompts or HTTP.
"""

from browserx.dom.options import SerializationOptions
from browserx.dom.snapshot import DomSnapshot, SnapshotStats
from browserx.dom.tree import Tier, VirtualNode

__all__ = ["DomSnapshot", "SerializationOptions", "SnapshotStats", "Tier", "VirtualNode"]
