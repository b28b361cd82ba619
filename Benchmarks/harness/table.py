"""Plain-text tables."""


def number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def text(title, columns, rows, notes=()):
    """A table with a title above and notes below; all columns but the first are flush right."""
    cells = [list(map(str, row)) for row in [columns, *rows]]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]

    def line(row):
        first, rest = row[0].ljust(widths[0]), [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return "  ".join([first, *rest]).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([title, "", line(cells[0]), rule, *map(line, cells[1:]), *notes, ""])


def verdict(value, target, is_floor):
    """A value with its target, and whether it is met."""
    met = value >= target if is_floor else value <= target
    return f"{number(value, 2)} ({'≥' if is_floor else '≤'} {target}: {'met' if met else 'MISSED'})"
