"""The hash of an interactive tree, by which client and backend tell that it is as it was."""

import hashlib
from collections.abc import Sequence

import msgspec

from browserx.semantic.request import TreeNode


def tree_hash(nodes: Sequence[TreeNode]) -> str:
    """The first 16 hex digits of SHA-256 over all that is told of the elements."""
    told = [node.to_wire() for node in nodes]
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()[:16]
