"""The exceptions of the package: each with a stable code and, where there is one, a place."""

from __future__ import annotations

from typing import Any


class PromptdeckError(ValueError):
    """Something that promptdeck cannot do.

    `code` is stable and in snake case. `line` and `column` count from 1, in the JSON or the
    template; `pointer` is the JSON pointer to the value at fault; `row` is the row of a batch,
    from 0. What is not known is None.
    """

    code: str
    line: int | None
    column: int | None
    pointer: str | None
    row: int | None

    def __init__(
        self,
        message: str,
        code: str = "error",
        *,
        line: int | None = None,
        column: int | None = None,
        pointer: str | None = None,
        row: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.line = line
        self.column = column
        self.pointer = pointer
        self.row = row

    def __reduce__(self) -> tuple[Any, ...]:
        # Workers of multiprocessing send their exceptions back as pickles.
        return type(self), (str(self), self.code), self.__dict__


class PromptdeckWarning(UserWarning):
    """What is ignored or read otherwise than it was meant in a state or a registry, such as a
    misspelled name, and a variable that leaves a gap in the prompt.

    `code` is stable and in snake case, `pointer` the JSON pointer in the state or the registry, `line`
    and `column` are those in the registry, `row` is the first row of a batch, from 0. What is not
    known is None.
    """

    code: str
    line: int | None
    column: int | None
    pointer: str | None
    row: int | None

    def __init__(
        self,
        message: str,
        code: str = "warning",
        *,
        line: int | None = None,
        column: int | None = None,
        pointer: str | None = None,
        row: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.line = line
        self.column = column
        self.pointer = pointer
        self.row = row

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code), self.__dict__


class RegistryError(PromptdeckError):
    """A registry or model that cannot be read."""


class CallError(PromptdeckError):
    """A state, a seed or a route that a call cannot have; with `strict=True`, what is warned of too."""


class PolicyError(PromptdeckError):
    """An output policy that cannot be compiled, or a text that takes it too long."""


class ChatError(PromptdeckError):
    """A chat template that fails, messages it cannot have, or a model without one."""


class ColumnError(PromptdeckError):
    """A column of another type than is expected."""


class PickleError(PromptdeckError):
    """A pickle that this version does not read."""


class InternalError(PromptdeckError):
    """An error in promptdeck itself."""
