"""How numbers are written on the screen."""


def number(x: float) -> str:
    """At most six digits, without trailing zeros."""
    return str(x) if isinstance(x, int) else f"{x:.6g}"


def duration(seconds: float) -> str:
    """Seconds, minutes or hours, in the precision that one waits in."""
    if seconds < 1:
        return "less than 1 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
