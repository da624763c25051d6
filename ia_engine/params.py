"""Self-describing parameters: one line defines the slider, the check, the URL, the shell option and
the JSON key.

beta: Annotated[float, Range("β", 0.1, 100, "bandwidth of exp(-β d²)", log=True)] = 10
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Final, Self, get_args, get_origin, get_type_hints

from ia_engine.errors import EngineError

LARGEST: Final = int(sys.float_info.max)


@dataclass(frozen=True)
class Range:
    """A number between two bounds, with its symbol, unit and help text."""

    symbol: str
    low: float
    high: float
    about: str
    unit: str = ""
    log: bool = False

    def check(self, name: str, value: object) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise EngineError(f"{name} must be a number; got {value!r}")
        if not self.low <= value <= self.high:  # false for NaN too
            unit = f" {self.unit}" if self.unit else ""
            raise EngineError(
                f"{name} must be between {self.low:g} and {self.high:g}{unit}; got {_show(value)}"
            )


@dataclass(frozen=True)
class Choice:
    """One option from a list, with its symbol and help text."""

    symbol: str
    options: tuple[str, ...]
    about: str

    def check(self, name: str, value: object) -> None:
        if value not in self.options:
            raise EngineError(f"{name} must be one of {', '.join(self.options)}; got {value!r}")


@dataclass(frozen=True)
class Parameter:
    """A field of a config: its name, type, allowed values and default."""

    name: str
    kind: type
    about: Range | Choice
    default: object


@dataclass(frozen=True)
class Config:
    """Base class of every config, a frozen dataclass whose fields are annotated with a Range or a
    Choice."""

    def __post_init__(self) -> None:
        for parameter in parameters(type(self)):
            value = getattr(self, parameter.name)
            if parameter.kind is int and (isinstance(value, bool) or not isinstance(value, int)):
                raise EngineError(f"{parameter.name} must be a whole number; got {value!r}")
            parameter.about.check(parameter.name, value)

    def to_json(self) -> str:
        """Return the config as JSON with sorted keys, so that equal configs give equal text."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the JSON that `to_json` writes. Unknown keys raise an error; missing keys get their
        defaults."""
        return cls.from_values(read_json(text))

    @classmethod
    def from_values(cls, values: object) -> Self:
        """Return a config with the values from a JSON object or a query string."""
        hints = get_type_hints(cls)
        if not isinstance(values, dict) or not values.keys() <= hints.keys():
            raise EngineError(
                f"the keys of {cls.__name__} must be among {sorted(hints)}; got {values!r}"
            )
        return cls(**{name: _cast(hints[name], value) for name, value in values.items()})


def parameters(config: type[Config]) -> Iterator[Parameter]:
    """Yield the self-describing fields of a config, in order."""
    hints = get_type_hints(config, include_extras=True)
    for field in fields(config):
        hint = hints[field.name]
        if get_origin(hint) is Annotated:
            kind, about = get_args(hint)[:2]
            yield Parameter(field.name, kind, about, field.default)


def read_json(text: str) -> object:
    """Parse JSON text from an untrusted source."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise EngineError(f"expected JSON; got a string that cannot be parsed: {error}") from error
    except (ValueError, RecursionError) as error:  # too many digits or nested brackets
        raise EngineError(
            "expected JSON; got a number with too many digits, or brackets that are nested too "
            "deeply: simplify the text"
        ) from error


def _show(value: float) -> str:
    try:
        return f"{value:g}"
    except OverflowError:  # the integer is too large for a float
        return "a number with hundreds of digits"


def _cast(kind: object, value: object) -> object:
    """Convert a JSON value to the type of a field: JSON has no tuples or nested configs, and may
    write 10.0 as 10."""
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        # Integers that are too large for a float stay unchanged; the check of the bounds rejects
        # them.
        return float(value) if abs(value) <= LARGEST else value
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        return tuple(_cast(get_args(kind)[0], item) for item in value)
    if isinstance(kind, type) and issubclass(kind, Config):
        return kind.from_values(value)
    return value
