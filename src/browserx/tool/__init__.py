"""``DOMTool``: the engine as one function a model can call.

Knows names, schemas, handlers and results: one file for each family of actions, each action a value in a table. Does
not know who calls it.
"""

from browserx.tool.dom_tool import DOMTool
from browserx.tool.response import DOMToolErrorCode, DOMToolResponse

__all__ = ["DOMTool", "DOMToolErrorCode", "DOMToolResponse"]
