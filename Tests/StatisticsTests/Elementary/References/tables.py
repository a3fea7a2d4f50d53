"""Writes tables of Sources/Statistics/Elementary, and prints the digests of those of Sources/CElementary, and the
coefficients of the polynomials.

    python3 Tests/StatisticsTests/Elementary/References/tables.py

Needs mpmath. Every polynomial interpolates its function at Chebyshev nodes (mpmath.chebyfit), computed with 400 bits
and rounded once; the error in front of each is the largest on the interval, before rounding.
"""

import struct
from pathlib import Path

import mpmath as m
from mpmath import mp, mpf

mp.prec = 400
FOLDER = Path(__file__).resolve().parents[4] / "Sources/Statistics/Elementary"
TINY = mpf(2) ** -90


def text(value):
    """A Double as a Swift literal."""
    number = float(value)
    if number == 0:
        return "0"
    sign, rest = ("-", number.hex()[1:]) if number < 0 else ("", number.hex())
    digits, exponent = rest[2:].split("p")
    whole, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    return f"{sign}0x{whole}{'.' + fraction if fraction else ''}p{int(exponent)}"


def rounded(value, unit):
    """The nearest multiple of a unit."""
    return m.nint(value / unit) * unit


def split(value):
    """A Double and the rest."""
    high = mpf(float(value))
    return high, value - high


def fit(name, function, low, high, count):
    """Prints the coefficients, constant first, of a polynomial for a function."""
    coefficients, error = m.chebyfit(function, [low, high], count, error=True)
    print(f"{name}: error 2^{float(m.log(error, 2)):.1f}")
    print("   ", ", ".join(text(c) for c in reversed(coefficients)))


def double(bits):
    return mpf(struct.unpack("<d", struct.pack("<Q", bits))[0])


def wrapped(items, width=98):
    """Items with commas, as many as fit on a line."""
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join(lines + [line])


def write(name, head, kind, items):
    body = f"{head}\n  @usableFromInline static let rows: {kind} = [\n{wrapped(items)}\n  ]\n}}\n"
    body = body.replace("@usableFromInline ", "")
    (FOLDER / f"{name}.swift").write_text(body)


def digest(name, numbers):
    """Prints the digest of a table that is computed when a program is loaded, as ElementaryTableTests has it."""
    value = 0xCBF29CE484222325
    for number in numbers:
        bits = struct.unpack("<Q", struct.pack("<d", float(number)))[0]
        value = ((value ^ bits) * 0x100000001B3) % 2**64
    print(f"{name}: digest 0x{value:016X}")


def logarithms():
    first, unit = 0x3FE6100000000000, mpf(2) ** -43
    rows, widest = [], 0
    for index in range(128):
        low, high = double(first + (index << 45)), double(first + ((index + 1) << 45))
        inverse = mpf(1) if low < 1 < high else rounded(2 / (low + high), mpf(2) ** -10)
        widest = max(widest, abs(low * inverse - 1), abs(high * inverse - 1))
        value = -m.log(inverse)
        high = rounded(value, unit)
        rows += [inverse, high, value - high]
    print("logarithms: |r| up to", float(widest))
    digest("logarithms", rows)
    high = rounded(m.log(2), unit)
    print("ln 2:", text(high), text(m.log(2) - high))
    fit("log, from r²", lambda r: (m.log(1 + r) - r) / r**2 if abs(r) > TINY else mpf(-1) / 2 + r / 3,
        -widest, widest, 6)
    fit("log, from r³", lambda r: (m.log(1 + r) - r + r * r / 2) / r**3 if abs(r) > TINY else mpf(1) / 3 - r / 4,
        -widest, widest, 6)
    for name, value in [("1/ln 2", 1 / m.log(2)), ("1/ln 10", 1 / m.log(10))]:
        print(name, *map(text, split(value)))


def quick_logarithms():
    unit, rows = mpf(2) ** -43, []
    for index in range(128):
        middle = double(0x3FE6000000000000 + (index << 45) + (1 << 44))
        value = m.log(middle)
        high = rounded(value, unit)
        rows += [1 / middle, high, value - high]
    digest("quick logarithms", rows)
    series = lambda r: (m.log(1 + r) - r) / r**2 if abs(r) > TINY else mpf(-1) / 2 + r / 3
    fit("log, from r², |r| ≤ 1/256", series, -mpf(1) / 256, mpf(1) / 256, 5)
    fit("log, from r², |r| ≤ 1/16", series, -mpf(1) / 16, mpf(1) / 16, 11)


def exponentials():
    rows = []
    for index in range(128):
        high, low = split(mpf(2) ** (mpf(index) / 128))
        rows += [high, low / high]
    digest("powers", rows)
    bound = m.log(2) / 256 * (1 + mpf(2) ** -12)
    fit("exp, from r²", lambda r: (m.exp(r) - 1 - r) / r**2 if abs(r) > TINY else mpf(1) / 2 + r / 6,
        -bound, bound, 4)
    fit("expm1, from x³",
        lambda x: (m.exp(x) - 1 - x - x * x / 2) / x**3 if abs(x) > TINY else mpf(1) / 6 + x / 24,
        -mpf(1) / 16, mpf(1) / 16, 8)
    for name, step, unit in [("ln 2 / 128", m.log(2) / 128, -42), ("log10 2 / 128", m.log(2, 10) / 128, -43)]:
        high = rounded(step, mpf(2) ** unit)
        print(name, "inverse", text(1 / step), "parts", text(high), text(step - high))
    print("ln 10, ln 2:", text(m.log(10)), text(m.log(2)))


def root_series(function, at_zero):
    """A function of x as one of z = x²."""
    return lambda z: function(m.sqrt(z)) if z > TINY else at_zero(z)


def circular():
    quarter = (m.pi / 4) ** 2 * (1 + mpf(2) ** -20)
    fit("sin, x³", root_series(lambda x: (m.sin(x) - x) / x**3, lambda z: -mpf(1) / 6 + z / 120), 0, quarter, 7)
    fit("cos, x⁴", root_series(lambda x: (m.cos(x) - 1 + x * x / 2) / x**4, lambda z: mpf(1) / 24 - z / 720),
        0, quarter, 7)
    fit("asin, x³", root_series(lambda x: (m.asin(x) - x) / x**3, lambda z: mpf(1) / 6 + 3 * z / 40),
        0, mpf(1) / 4, 13)
    fit("asinh, x³", root_series(lambda x: (m.asinh(x) - x) / x**3, lambda z: -mpf(1) / 6 + 3 * z / 40),
        0, mpf(1) / 64, 8)
    print("π/2", *map(text, split(m.pi / 2)))
    mp.prec = 1400
    bits = int(m.floor(2 / m.pi * mpf(2) ** 1216))
    mp.prec = 400
    words = [0] + [(bits >> (1216 - 64 * (k + 1))) & (2**64 - 1) for k in range(19)]
    items = ["0x" + "_".join(f"{word:016X}"[k:k + 4] for k in range(0, 16, 4)) for word in words]
    write(
        "TwoOverPiTable",
        """/// The digits of 2/π for the reduction of angles; generated by `tables.py`.
enum TwoOverPiTable {
  /// The binary digits of 2/π after the point in words of 64 bits, after one word of zeros.""",
        "InlineArray<20, UInt64>", items)


def errors():
    fit("erf, x/x − 1", root_series(lambda x: m.erf(x) / x - 1,
                                    lambda z: 2 / m.sqrt(m.pi) * (1 - z / 3) - 1), 0, mpf(1) / 4, 10)
    items, worst = [], 0
    for row in range(92):
        width = mpf(2) ** (row // 16 - 5)
        centre = mpf(2) ** (row // 16 - 1) + width * (row % 16 + mpf(1) / 2)
        value = lambda d: m.exp((centre + d) ** 2) * m.erfc(centre + d)
        coefficients, error = m.chebyfit(value, [-width / 2, width / 2], 10, error=True)
        worst = max(worst, error / value(0))
        coefficients = coefficients[::-1]
        items += [*map(text, split(coefficients[0])), *map(text, coefficients[1:])]
    print(f"erfcx: error 2^{float(m.log(worst, 2)):.1f}")
    write(
        "ErrorFunctionTable",
        """/// Polynomials for exp(x²)·erfc(x); generated by `tables.py`.
enum ErrorFunctionTable {
  /// For each sixteenth of a binade from 0.5 to 28, eleven numbers: the constant as two Doubles, then the
  /// coefficients of the first to the ninth power of the distance from the middle.""",
        f"InlineArray<{len(items)}, Double>", items)


def gammas():
    def value(f):
        if f == 0:
            return +m.euler
        return 1 - m.euler if abs(f - 1) < TINY else m.loggamma(1 + f) / (f * (f - 1))

    items, worst = [], 0
    for row in range(8):
        centre = mpf(2 * row + 1) / 16
        coefficients, error = m.chebyfit(lambda d: value(centre + d), [-mpf(1) / 16, mpf(1) / 16], 12, error=True)
        worst = max(worst, error / value(centre))
        coefficients = coefficients[::-1]
        items += [*map(text, split(coefficients[0])), *map(text, coefficients[1:])]
    print(f"loggamma: error 2^{float(m.log(worst, 2)):.1f}")
    write(
        "LogGammaTable",
        """/// Polynomials for ln Γ(1 + f)/(f·(f − 1)); generated by `tables.py`.
enum LogGammaTable {
  /// For each eighth of 0 ... 1, thirteen numbers: the constant as two Doubles, then the coefficients of the first to
  /// the eleventh power of the distance from the middle.""",
        f"InlineArray<{len(items)}, Double>", items)
    print("½ ln 2π", *map(text, split(m.log(2 * m.pi) / 2)))


logarithms()
quick_logarithms()
exponentials()
circular()
errors()
gammas()
