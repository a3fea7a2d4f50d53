"""Writes the values that ElementaryReferenceTests compares with, one file for each function.

    python3 Tests/StatisticsTests/Elementary/References/references.py

Needs mpmath; values are computed with 400 bits. Every line that starts with `range` names bit patterns of Doubles:
the lowest argument and one above the highest, `signed` if every other argument is negated, for `pow` the same of the
second argument, and how many. The arguments follow from those patterns and the number of the line by SplitMix64, as in
the test. Lines that start with `at` give the arguments themselves. After each stand the values, 18 digits for each: the
bit pattern of the nearest Double, then 0x80 plus 250 times what the true value is above it, in units of its last place.
"""

import struct
from pathlib import Path

import mpmath as m
from mpmath import mp, mpf

mp.prec = 400
MASK = 2**64 - 1


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def words(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def draw(word, low, high, signed):
    x = double(low + (word >> 1) % (high - low))
    return -x if signed and word & 1 else x


def encoded(value):
    """The nearest Double and the rest of a true value."""
    magnitude = abs(value)
    if magnitude >= mpf(2) ** 1024 - mpf(2) ** 970:
        return f"{bits(float('-inf') if value < 0 else float('inf')):016x}80"
    exponent = -1074 if magnitude < mpf(2) ** -1022 else int(m.floor(m.log(magnitude, 2))) - 52
    if magnitude >= mpf(2) ** -1022:
        while magnitude >= mpf(2) ** (exponent + 53):
            exponent += 1
        while magnitude < mpf(2) ** (exponent + 52):
            exponent -= 1
    units = m.nint(value / mpf(2) ** exponent)
    nearest = float(units) * 2.0**exponent if exponent > -1000 else float(units) * 2.0**-900 * 2.0 ** (exponent + 900)
    rest = value / mpf(2) ** exponent - units
    return f"{bits(nearest):016x}{128 + int(m.nint(rest * 250)):02x}"


def write(name, function, ranges, at=()):
    lines = []
    for number, (count, *spans) in enumerate(ranges):
        count *= 2
        limits = [(bits(low), bits(high), signed) for low, high, signed in spans]
        lines.append("range " + " ".join(
            f"{low:016x} {high:016x} {'signed' if signed else 'unsigned'}" for low, high, signed in limits) + f" {count}")
        random = words(number)
        values = []
        for _ in range(count):
            arguments = [draw(next(random), *limit) for limit in limits]
            values.append(encoded(function(*map(mpf, arguments))))
        lines += ["".join(values[k:k + 6]) for k in range(0, count, 6)]
    for arguments in at:
        arguments = arguments if isinstance(arguments, tuple) else (arguments,)
        lines.append("at " + " ".join(f"{bits(x):016x}" for x in arguments))
        lines.append(encoded(function(*map(mpf, arguments))))
    (Path(__file__).parent / f"{name}.txt").write_text("\n".join(lines) + "\n")
    print(name, sum(2 * r[0] for r in ranges) + len(at))


def around(*points, steps=2):
    """Doubles next to some points."""
    return [double(bits(p) + k) if p > 0 else -double(bits(-p) + k) for p in points for k in range(-steps, steps + 1)]


LARGEST, SMALLEST = double(0x7FEFFFFFFFFFFFFF), 5e-324
one = around(1.0, 1 + 2.0**-8, 1 - 2.0**-9, 2.0, 0.5, 1.375, 0.6875, LARGEST / 2, 2.0**-1022, 1e-323)
log_ranges = [
    (400, (SMALLEST, LARGEST, False)), (300, (0.5, 2.0, False)), (150, (0.99, 1.0, False)),
    (150, (1.0, 1.01, False)), (60, (1.0, 1 + 2.0**-20, False)), (60, (1 - 2.0**-20, 1.0, False)),
    (40, (SMALLEST, 2.0**-1022, False))]
powers = [2.0**k for k in range(-1074, 1024, 61)] + [10.0**k for k in range(0, 23)]
write("log", m.log, log_ranges, one)
write("log2", lambda x: m.log(x, 2), log_ranges, one + powers)
write("log10", m.log10, log_ranges, one + powers)
write("log1p", m.log1p, [
    (250, (SMALLEST, 1.0, True)), (250, (2.0**-12, 0.99, True)), (200, (2.0**-9, 2.0**-7, True)),
    (200, (1.0, LARGEST, False)), (100, (2.0**-60, 2.0**-8, True))],
    around(2.0**-8, -(2.0**-8), 2.0**-54, -1 + 2.0**-40, -0.5) + [double(bits(-1.0) - 1)])
edges = around(709.782712893384, -708.3964185322641, -745.1332191019411, -744.4400719213812, 690.0, -690.0, 2.0**-54)
write("exp", m.exp, [
    (400, (2.0**-10, 700.0, True)), (250, (2.0**-60, 1.0, True)), (150, (690.0, 746.0, True)),
    (200, (0.5, 20.0, True)), (60, (708.0, 745.2, True))], edges)
write("expm1", m.expm1, [
    (300, (2.0**-10, 50.0, True)), (300, (0.03, 0.13, True)), (200, (2.0**-60, 1.0, True)),
    (100, (30.0, 720.0, True)), (100, (2.0**-1074, 1.0, True))],
    around(2.0**-4, -(2.0**-4), 40.0, -40.0, 0.34, -0.34) + edges[:5])
write("exp2", lambda x: mpf(2) ** x, [
    (400, (2.0**-10, 1000.0, True)), (250, (2.0**-60, 1.0, True)), (150, (990.0, 1080.0, True))],
    around(1024.0, -1022.0, -1074.0, -1075.0) + [float(k) for k in range(-1074, 1024, 33)])
write("exp10", lambda x: mpf(10) ** x, [
    (400, (2.0**-10, 300.0, True)), (250, (2.0**-60, 1.0, True)), (150, (300.0, 330.0, True))],
    around(308.25471555991674, -307.65, -323.3) + [float(k) for k in range(0, 23)])
angles = []
mp.prec = 1600
for k in [1, 2, 3, 5, 8, 100, 12345, 10**6 + 1, 10**9 + 7, 10**15 + 3, 10**22 + 9]:
    angles += around(float(m.pi / 2 * k), steps=1)
angles += [6381956970095103 * 2.0**797, 1e22, 1e300, LARGEST, 2.0**60] + around(0.7853981633974483)
circle = [
    (300, (2.0**-10, 7.0, True)), (200, (0.7, 0.9, True)), (200, (1.0, 1e6, True)), (200, (1e6, LARGEST, True)),
    (100, (2.0**-60, 1.0, True))]
write("sin", m.sin, circle, angles)
write("cos", m.cos, circle, angles)
mp.prec = 400
arcs = [(300, (2.0**-6, 1.0, True)), (300, (0.4, 0.6, True)), (200, (0.9, 1.0, True)), (100, (2.0**-40, 0.5, True)),
        (100, (1 - 2.0**-30, 1.0, True))]
write("asin", m.asin, arcs, around(0.5, -0.5) + [1.0, -1.0, 2.0**-27])
write("acos", m.acos, arcs, around(0.5, -0.5) + [-1.0, 2.0**-27, double(bits(1.0) - 1)])
write("asinh", m.asinh, [
    (300, (2.0**-6, 8.0, True)), (300, (0.1, 0.2, True)), (200, (1.0, LARGEST, True)), (150, (2.0**24, 2.0**32, True)),
    (100, (2.0**-60, 0.1, True))], around(0.125, 2.0**28, -0.125) + [LARGEST])
write("erf", m.erf, [
    (300, (2.0**-6, 1.0, True)), (300, (0.4, 6.5, True)), (100, (0.45, 0.55, True)), (150, (2.0**-60, 0.5, True)),
    (50, (SMALLEST, 1.0, True))], around(0.5, -0.5, 1.0, 2.0, 4.0, 5.9, 6.0))
write("erfc", m.erfc, [
    (250, (2.0**-6, 1.0, True)), (300, (0.4, 6.5, True)), (300, (0.5, 28.0, False)), (150, (26.0, 27.4, False)),
    (50, (2.0**-60, 0.5, True))], around(0.5, -0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 26.543258, 27.226, -5.9, -6.0))
write("logGamma", m.loggamma, [
    (250, (2.0**-20, 1.0, False)), (250, (1.0, 3.0, False)), (200, (3.0, 12.0, False)), (150, (10.0, 1e6, False)),
    (100, (1e6, LARGEST, False)), (50, (SMALLEST, 1.0, False))],
    [x for x in around(1.0, 2.0, 3.0, 10.0, 0.125, 1.25, 2.556e305, 2.5563481638716905e305)] + [4.0, 5.0, 9.0])
write("pow", lambda x, y: x**y, [
    (250, (SMALLEST, LARGEST, False), (2.0**-14, 1.0, True)), (250, (0.5, 2.0, False), (1.0, 1000.0, True)),
    (200, (1 - 2.0**-10, 1 + 2.0**-10, False), (2.0**10, 2.0**19, True)),
    (150, (1.0, 1 + 2.0**-40, False), (2.0**40, 2.0**50, True)),
    (100, (1 - 2.0**-40, 1.0, False), (2.0**40, 2.0**50, True)),
    (100, (SMALLEST, 2.0**-1022, False), (2.0**-8, 1.0, True)), (150, (1.0, 1000.0, False), (1.0, 110.0, True))],
    [(2.0, float(k)) for k in (-1074, -1023, -1022, 0.5, 1023)] + [(10.0, float(k)) for k in range(1, 23, 3)]
    + [(double(bits(1.0) + 1), 2.0**52), (double(bits(1.0) - 1), 2.0**53), (double(bits(1.0) + 1), 3.196577161300664e18),
       (double(bits(1.0) - 1), 6.6e18), (-3.0, 5.0), (-2.5, -7.0), (LARGEST, 1.0), (SMALLEST, 1.0), (0.7, 2000.0)])
