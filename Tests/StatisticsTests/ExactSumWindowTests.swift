import Testing

@testable import Specifications
@testable import Statistics

/// The window of a sum against the accumulator of the whole range, after each of many random operations.
@Suite struct ExactSumWindowTests {
  private struct Pair {
    var sum = ExactSum()
    var twin = WideSum()

    mutating func add(_ x: Double) {
      sum.add(x)
      twin.add(x)
    }

    mutating func add(_ x: Double, times count: Int) {
      sum.add(x, times: count)
      for _ in 0..<count { twin.add(x) }
    }

    mutating func merge(_ other: Pair) {
      sum.merge(other.sum)
      twin.merge(other.twin)
    }

    mutating func subtract(_ other: Pair) {
      sum.subtract(other.sum)
      twin.subtract(other.twin)
    }

    var agrees: Bool {
      sum.widened == twin && sum.value.bitPattern == twin.value.bitPattern
        && ExactSum(written: sum) == sum
    }
  }

  /// Values whose exponents move slowly, so that windows are moved, filled, emptied and given up at every place.
  private static func value(
    _ center: inout Int, _ generator: inout Xoshiro256
  ) -> Double {
    center += Draw.index(below: 21, using: &generator) - 10
    if Draw.index(below: 40, using: &generator) == 0 {
      center = Draw.index(below: 2047, using: &generator)
    }
    center = min(max(center, 0), 2046)
    if Draw.index(below: 30, using: &generator) == 0 { return [0, -0.0][center & 1] }
    let bits = Draw.index(below: 53, using: &generator)
    return Double(
      sign: generator.next() & 1 == 0 ? .plus : .minus, exponentBitPattern: UInt(center),
      significandBitPattern: ((generator.next() & ((1 << 52) - 1)) >> UInt64(bits))
        << UInt64(bits / 2))
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func theWindowIsTheWholeRange(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    var pairs = [Pair](repeating: Pair(), count: 4)
    var centers = (0..<4).map { _ in Draw.index(below: 2047, using: &generator) }
    for step in 0..<400 {
      let index = Draw.index(below: 4, using: &generator)
      let other = pairs[Draw.index(below: 4, using: &generator)]
      switch Draw.index(below: 12, using: &generator) {
      case 0: pairs[index].merge(other)
      // What was not added cannot be taken out, except from a sum of finite values.
      case 1: if other.twin.specials.isEmpty { pairs[index].subtract(other) }
      case 2: pairs[index].subtract(pairs[index])
      case 3: pairs[index] = Pair()
      case 4:
        pairs[index].add(
          Self.value(&centers[index], &generator),
          times: Draw.index(below: 50, using: &generator))
      case 5: if step % 97 == 0 { pairs[index].add([.infinity, -.infinity, .nan][step % 3]) }
      default: pairs[index].add(Self.value(&centers[index], &generator))
      }
      #expect(pairs[index].agrees, "seed \(seed), step \(step)")
    }
  }

  @Test func aSumGrowsOutOfItsWindowWithoutLosingABit() {
    // 2⁶³ times the largest value that a window's second word takes, until the fourth overflows.
    for sign in [1.0, -1.0] {
      var pair = Pair()
      pair.add(sign)
      pair.add(sign * 0x1p-100)
      for _ in 0..<300 { pair.merge(pair) }
      #expect(pair.agrees && !pair.sum.wide.isEmpty)
      #expect(pair.sum.value == sign * 0x1p300)
    }
  }

  @Test func ordinaryRewardsNeedNoMoreThanTheWindow() {
    for value in [0.01, 3.99, 1e6, -12_345.678, 1.0 / 3, 1e-5] {
      var moments = Moments([1, 0.1, 100])
      moments.add(value)
      moments.add(value, times: 1_000_000_000)
      #expect(moments.total.wide.isEmpty && moments.totalOfSquares.wide.isEmpty, "\(value)")
    }
  }
}

extension ExactSum {
  /// The sum that comes back from its bytes.
  fileprivate init?(written sum: ExactSum) {
    var writer = StateWriter()
    sum.write(to: &writer)
    var reader = StateReader(writer.bytes)
    guard let read = try? ExactSum(from: &reader) else { return nil }
    self = read
  }
}
