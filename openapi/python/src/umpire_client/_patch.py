"""JSON Patch (RFC 6902), as far as views are patched. Must not change what it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_Holder = dict[str, Any] | list[Any]


def _parts(path: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def _wrong(path: str) -> LookupError:
    return LookupError(f"there is nothing at {path!r}")


def _index(holder: list[Any], key: str, path: str, most: int) -> int:
    place = len(holder) if key == "-" else int(key) if key.isdigit() else -1
    if not 0 <= place <= most:
        raise _wrong(path)
    return place


def _at(value: Any, path: str) -> Any:
    for part in _parts(path):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (LookupError, TypeError, ValueError):
            raise _wrong(path) from None
    return value


def _changed(value: Any, parts: list[str], change: Callable[[_Holder, str], None], path: str) -> Any:
    if not isinstance(value, (dict, list)):
        raise _wrong(path)
    copy: Any = value.copy()
    key, *rest = parts
    if not rest:
        change(copy, key)
        return copy
    at = _index(copy, key, path, len(copy) - 1) if isinstance(copy, list) else key
    if isinstance(copy, dict) and at not in copy:
        raise _wrong(path)
    copy[at] = _changed(copy[at], rest, change, path)
    return copy


def _put(value: Any, path: str, what: Any, replace: bool) -> Any:
    if path == "":
        return what

    def put(holder: _Holder, key: str) -> None:
        if isinstance(holder, dict):
            if replace and key not in holder:
                raise _wrong(path)
            holder[key] = what
        elif replace:
            holder[_index(holder, key, path, len(holder) - 1)] = what
        else:
            holder.insert(_index(holder, key, path, len(holder)), what)

    return _changed(value, _parts(path), put, path)


def _without(value: Any, path: str) -> Any:
    def remove(holder: _Holder, key: str) -> None:
        if isinstance(holder, list):
            holder.pop(_index(holder, key, path, len(holder) - 1))
        elif key in holder:
            del holder[key]
        else:
            raise _wrong(path)

    return _changed(value, _parts(path), remove, path)


def patched(value: Any, patch: list[dict[str, Any]]) -> Any:
    """The value after a patch; the value itself stays as it is, and parts that did not change are shared."""
    for operation in patch:
        path = operation["path"]
        match operation["op"]:
            case "add":
                value = _put(value, path, operation["value"], False)
            case "replace":
                value = _put(value, path, operation["value"], True)
            case "remove":
                value = _without(value, path)
            case "move":
                moved = _at(value, operation["from"])
                value = _put(_without(value, operation["from"]), path, moved, False)
            case "copy":
                value = _put(value, path, _at(value, operation["from"]), False)
            case "test":
                if _at(value, path) != operation["value"]:
                    raise LookupError(f"another value is at {path!r}")
            case other:
                raise LookupError(f"there is no operation {other!r}")
    return value
