"""The extension module: the public names are those of `promptdeck`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, final, overload

from ._types import Diagnostic, Hydration, RowError

__version__: str

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Arrow: TypeAlias = _ArrowArray | _ArrowStream

class _Array(Protocol):
    """An array of numpy, or another one that makes a list of itself."""

    def tolist(self) -> Any: ...

_Texts: TypeAlias = _Arrow | _Array | list[str] | tuple[str, ...]
_Integers: TypeAlias = _Arrow | _Array | Sequence[SupportsIndex]
_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
_State: TypeAlias = State | Mapping[str, Any] | str
_Message: TypeAlias = Mapping[str, Any]

@final
class State:
    """The settings of one call, read once: selections, modes, sliders, randomness, variables.

    A dictionary does as well wherever a state is expected; a `State` is read only once.
    """

    def __new__(cls, state: _State | None = None, /) -> State: ...
    @staticmethod
    def from_dict(state: _State) -> State: ...
    @staticmethod
    def from_json(text: str) -> State: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Verdict:
    """What a policy says about an answer."""

    @property
    def text(self) -> str: ...
    @property
    def accepted(self) -> bool: ...
    @property
    def reason(self) -> str | None: ...
    def __bool__(self) -> bool:
        """Whether the cleaned text passes, as `accepted`."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class Policy:
    """The rules for an answer: what is stripped, what is refused, how long it may be."""

    def __new__(cls, policy: Mapping[str, Any] | None = None, /) -> Policy: ...
    @staticmethod
    def from_json(text: str) -> Policy: ...
    def apply(self, answer: str) -> Verdict:
        """Cleans an answer and judges the result."""
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Model:
    """A registry or an exported model, compiled for many calls.

    Made by `load`, `Model.from_json` or `Model.from_dict`, which warn of what nothing reads in it, such
    as a misspelled key. Never changes; threads may share it.
    """

    @staticmethod
    def from_json(text: str) -> Model: ...
    @staticmethod
    def from_dict(registry: Mapping[str, Any]) -> Model: ...
    def hydrate(
        self,
        state: _State | None = None,
        *,
        seed: SupportsIndex | None = None,
        route: str | None = None,
        strict: bool = False,
    ) -> str:
        """The prompt of a state.

        A seed is an integer from 0 to 2**53 - 1; without one it is drawn. A route is the name of one
        of `routes`. What the registry ignores in the state, such as a misspelled name, and a variable
        without a value that leaves a gap is a `PromptdeckWarning`. If `strict`, it is a `CallError`,
        and so is what the model was warned of when it was read. A key that no state has is always an
        error.
        """
    def explain(
        self,
        state: _State | None = None,
        *,
        seed: SupportsIndex | None = None,
        route: str | None = None,
        strict: bool = False,
    ) -> Hydration:
        """The prompt of a state with what was used and why, and the seed.

        It never warns: what is ignored is in `diagnostics`, variables without a value are in `gaps`. If
        `strict`, a `CallError` is raised for what `hydrate` refuses then.
        """
    def check(
        self,
        state: _State | None = None,
        *,
        seed: SupportsIndex | None = None,
        route: str | None = None,
        strict: bool = False,
    ) -> list[Diagnostic]:
        """What looks like a mistake in the registry or the state.

        With a state, that includes variables that it leaves without a value. Pointers and places are
        those in the JSON that the model was read from. If `strict`, the first error or warning among
        them is raised as a `CallError`; notes are not.
        """
    @overload
    def hydrate_batch(
        self,
        *,
        states: _Texts | State | Mapping[str, Any] | None = None,
        seeds: _Integers | None = None,
        route: str | None = None,
        strict: bool = False,
        on_error: Literal["raise"] = "raise",
        threads: SupportsIndex | None = None,
    ) -> TextColumn:
        """The prompts of many states, each the JSON text of a state, or one state for all seeds.

        Without seeds, each is drawn. The first row that fails is raised, or, with
        `on_error="column"`, every one is a row of the error column. What `hydrate` warns of is a
        `PromptdeckWarning`, once for all rows that have it, or, if `strict`, an error of its row.
        `threads` is from 1 to 1024.
        """
    @overload
    def hydrate_batch(
        self,
        *,
        states: _Texts | State | Mapping[str, Any] | None = None,
        seeds: _Integers | None = None,
        route: str | None = None,
        strict: bool = False,
        on_error: Literal["column"],
        threads: SupportsIndex | None = None,
    ) -> ResultBatch: ...
    @property
    def policy(self) -> Policy: ...
    def policy_for(self, route: str | None = None) -> Policy:
        """The output policy of a route: that of the registry with each field of the route in its place."""
    def generation(self, route: str | None = None) -> dict[str, Any]:
        """The generation settings of a route, as they are in the registry."""
    @property
    def title(self) -> str | None: ...
    @property
    def sections(self) -> list[str]: ...
    @property
    def routes(self) -> list[str]: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ChatTemplate:
    """A chat template with the special tokens of its model.

    Renders byte for byte what transformers renders. Never changes; threads may share it.
    """

    @staticmethod
    def from_source(
        source: str, *, bos_token: str | None = None, eos_token: str | None = None
    ) -> ChatTemplate: ...
    @staticmethod
    def from_dir(path: _Path) -> ChatTemplate: ...
    @staticmethod
    def from_gguf(path: _Path) -> ChatTemplate: ...
    @staticmethod
    def from_json(text: str) -> ChatTemplate: ...
    @overload
    def apply_chat_template(
        self,
        conversation: Sequence[_Message],
        tools: Sequence[Mapping[str, Any]] | None = None,
        documents: Sequence[Mapping[str, Any]] | None = None,
        *,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str | None = None,
        tokenize: Literal[False] = False,
        now: datetime | None = None,
        **template_kwargs: Any,
    ) -> str:
        """The text of a conversation, as transformers gives it with `tokenize=False`.

        `now` is the clock of templates that ask for the time, otherwise the local time. Further
        arguments, such as `enable_thinking`, are variables of the template. Those of transformers
        that make tokens of the text or take another template raise a `ChatError`, and so does a name
        that is nearly that of an argument and that the template does not read.
        """
    @overload
    def apply_chat_template(
        self,
        conversation: Sequence[Sequence[_Message]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        documents: Sequence[Mapping[str, Any]] | None = None,
        *,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str | None = None,
        tokenize: Literal[False] = False,
        now: datetime | None = None,
        **template_kwargs: Any,
    ) -> list[str]: ...
    @overload
    def render_batch(
        self,
        *,
        messages_json: _Texts | None = None,
        messages: _Arrow | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        documents: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str | None = None,
        now: datetime | None = None,
        on_error: Literal["raise"] = "raise",
        threads: SupportsIndex | None = None,
        **template_kwargs: Any,
    ) -> TextColumn:
        """The texts of many conversations.

        Takes one of two columns: `messages_json`, each row the JSON text of a list of messages, or
        `messages`, an Arrow column of lists of structs. A null field of a struct is a missing key.
        """
    @overload
    def render_batch(
        self,
        *,
        messages_json: _Texts | None = None,
        messages: _Arrow | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        documents: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str | None = None,
        now: datetime | None = None,
        on_error: Literal["column"],
        threads: SupportsIndex | None = None,
        **template_kwargs: Any,
    ) -> ResultBatch: ...
    @property
    def source(self) -> str: ...
    @property
    def bos_token(self) -> str | None: ...
    @property
    def eos_token(self) -> str | None: ...
    def to_json(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class TextColumn:
    """Texts as an Arrow column of the type `large_string`.

    pyarrow, polars, duckdb and pandas take it without copying: `pyarrow.array(column)`.
    """

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> str | None: ...
    @overload
    def __getitem__(self, index: slice, /) -> TextColumn: ...
    def __iter__(self) -> Iterator[str | None]: ...
    def to_pylist(self) -> list[str | None]: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class ResultBatch:
    """Texts and errors of a batch, as an Arrow record batch of the columns `text` and `error`.

    A row that failed has no text, and its error says why: `code`, `message`, `line`, `column` and
    `pointer`. `pyarrow.record_batch(result)` takes it without copying; without an Arrow library,
    `texts` and `errors` have the same.
    """

    def __len__(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def texts(self) -> TextColumn: ...
    @property
    def messages(self) -> TextColumn:
        """The error message of each row; None for one that did not fail."""
    @property
    def errors(self) -> list[RowError]:
        """The errors, in the order of their rows."""
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

def load(path: _Path) -> Model:
    """Reads a registry or an exported model from a file.

    What nothing reads in it, such as a misspelled key, is a `PromptdeckWarning`.

    A file that cannot be read raises the `OSError` of `open`, such as `FileNotFoundError`.
    """
