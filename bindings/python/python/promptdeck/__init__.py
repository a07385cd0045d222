"""Prompt registries and chat templates, rendered by one exact engine.

`load` reads a registry or an exported model; `Model.hydrate` gives its prompt. `ChatTemplate`
renders conversations byte for byte as transformers does. Batches take Arrow columns and give Arrow
columns back.
"""

from ._errors import (
    CallError,
    ChatError,
    ColumnError,
    InternalError,
    PickleError,
    PolicyError,
    PromptdeckError,
    PromptdeckWarning,
    RegistryError,
)
from ._native import (
    ChatTemplate,
    Model,
    Policy,
    ResultBatch,
    State,
    TextColumn,
    Verdict,
    __version__,
    load,
)
from ._types import Diagnostic, Hydration, RowError

__all__ = [
    "CallError",
    "ChatError",
    "ChatTemplate",
    "ColumnError",
    "Diagnostic",
    "Hydration",
    "InternalError",
    "Model",
    "PickleError",
    "Policy",
    "PolicyError",
    "PromptdeckError",
    "PromptdeckWarning",
    "RegistryError",
    "ResultBatch",
    "RowError",
    "State",
    "TextColumn",
    "Verdict",
    "__version__",
    "load",
]
