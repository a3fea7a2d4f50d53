import Statistics
import Testing

@Suite struct MomentsTests {
  static let a = [12.1, 14.3, 9.8, 11.5, 13.2, 10.7, 15.1, 12.9, 8.6, 11.9]
  static let b = [13.4, 16.2, 12.8, 14.9, 11.3, 17.5, 15.8, 12.2, 14.1, 13.7, 16.6, 15.0]

  @Test func theMeansAndVariancesOfTheReferenceTableAreReproduced() throws {
    let (control, treatment) = (Moments(Self.a), Moments(Self.b))
    #expect(relativeError(try #require(control.mean), 12.01) <= 1e-15)
    #expect(relativeError(try #require(treatment.mean), 14.4583333333) <= 1e-11)
    #expect(relativeError(try #require(control.variance), 3.9454444444) <= 1e-10)
    #expect(relativeError(try #require(treatment.variance), 3.5281060606) <= 1e-10)
    let squares = [control, treatment].compactMap(\.standardError).map { $0 * $0 }
    let error = squares.reduce(0, +).squareRoot()
    #expect(relativeError(error, 0.829791107947) <= 1e-11)
  }

  @Test func aReplacedValueLeavesNoTrace() {
    var moments = Moments([0.1, 1e100, 0.3])
    moments.replace(1e100, with: 0.2)
    #expect(moments == Moments([0.1, 0.2, 0.3]))
    // The value may have been added to a part that comes later.
    var change = Moments()
    change.replace(0.2, with: -7)
    moments.merge(change)
    #expect(moments == Moments([0.1, -7, 0.3]))
  }

  @Test func aLargeOffsetDoesNotTouchTheVariance() {
    let moments = Moments([4, 7, 13, 16].map { 1e9 + $0 })
    #expect(moments.variance == 30)
    #expect(moments.mean == 1_000_000_010)
    #expect(moments.standardError == 7.5.squareRoot())
    #expect(moments.standardDeviation == 30.0.squareRoot())
    // Neighbouring Doubles: their mean lies between them and is not a Double.
    #expect(Moments([1e16, 1e16 + 2]).variance == 2)
  }

  /// Two passes in integers: n·Σx² − (Σx)² with 128 bits, for integers around an offset.
  @Test(arguments: [0, 1, 1 << 20, 1 << 40, 1 << 52], [1, 2, 3] as [UInt64])
  func varianceAndMeanAreThoseOfExactIntegers(offset: Int64, seed: UInt64) throws {
    var generator = Xoshiro256(seed: seed)
    for count in [2, 3, 17, 400] {
      for spread in [2, 5, 1000, 1 << 20] as [UInt64] {
        let integers = (0..<count).map { _ in
          Int128(offset) + Int128(Draw.integer(below: spread, using: &generator))
        }
        let sum = integers.reduce(0, +)
        let squares = integers.reduce(0) { $0 + ($1 - Int128(offset)) * ($1 - Int128(offset)) }
        let shifted = sum - Int128(offset) * Int128(count)
        let numerator = Double(Int128(count) * squares - shifted * shifted)
        let moments = Moments(integers.map { Double($0) * 0x1p-30 })
        let expected = numerator / Double(count * (count - 1)) * 0x1p-60
        #expect(relativeError(try #require(moments.variance), expected) <= 1e-15)
        let mean = Double(sum) / Double(count) * 0x1p-30
        #expect(relativeError(try #require(moments.mean), mean) <= 0x1p-52)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func orderSplitsAndRepetitionDoNotChangeABit(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let values = wildDoubles(count: 200, exponents: 980...1060, using: &generator)
    let counts = values.map { _ in Draw.index(below: 20, using: &generator) }
    let single = zip(values, counts).flatMap { Array(repeating: $0, count: $1) }
    var parts = [Moments](repeating: Moments(), count: 9)
    for value in single.shuffled(using: &generator) {
      parts[Draw.index(below: 9, using: &generator)].add(value)
    }
    let merged = parts.reduce(into: Moments()) { $0.merge($1) }
    var repeated = Moments()
    for (value, count) in zip(values, counts) { repeated.add(value, times: count) }
    #expect(merged == Moments(single))
    #expect(merged == repeated)
    #expect(merged.variance == repeated.variance)
    #expect(merged.mean == repeated.mean)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func equalValuesHaveTheirOwnMeanAndNoVariance(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for value in wildDoubles(count: 300, exponents: 700...1300, using: &generator) {
      var moments = Moments()
      moments.add(value, times: 2 + Draw.index(below: 1 << 40, using: &generator))
      #expect(moments.mean == value)
      #expect(moments.variance == 0)
    }
  }

  @Test func fewValuesHaveNoVariance() {
    #expect(Moments().mean == nil)
    #expect(Moments().variance == nil)
    #expect(Moments().sum == 0)
    #expect(Moments([3]).mean == 3)
    #expect(Moments([3]).variance == nil)
    #expect(Moments([3]).standardError == nil)
    #expect(Moments([3]).count == 1)
  }

  @Test func valuesOutsideTheRangeDoAsDocumented() throws {
    #expect(Moments([1e200, 2e200]).variance == .infinity)
    #expect(Moments([1e200, 2e200]).mean == 1.5e200)
    #expect(try #require(Moments([1, .nan]).mean).isNaN)
    #expect(try #require(Moments([1, .nan]).variance).isNaN)
    #expect(Moments([1, .infinity]).mean == .infinity)
    #expect(try #require(Moments([1, .infinity]).variance).isNaN)
    #expect(Moments([1e-170, 2e-170]).variance == 0)
    let huge = Double.greatestFiniteMagnitude
    #expect(Moments([huge, huge]).mean == .infinity)
    #expect(Moments([huge, huge]).variance == .infinity)
  }
}
