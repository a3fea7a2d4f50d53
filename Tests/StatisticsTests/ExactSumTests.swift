import Testing

@testable import Statistics

@Suite struct ExactSumTests {
  /// From neighbours that nearly cancel, over subnormals and sums that overflow, to all exponents.
  static let exponentRanges = [1020...1026, 0...3, 0...60, 2040...2046, 900...1100, 0...2046]

  @Test(arguments: exponentRanges, [1, 2, 3, 4, 5] as [UInt64])
  func theValueIsTheBitwiseSumRoundedOnce(exponents: ClosedRange<Int>, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for count in [1, 2, 3, 10, 100] {
      let values = wildDoubles(count: count, exponents: exponents, using: &generator)
      var twin = BitwiseSum()
      for value in values { twin.add(value) }
      #expect(ExactSum(values).value == twin.value, "\(count) values of \(exponents)")
    }
  }

  @Test(arguments: exponentRanges, [1, 2, 3, 4, 5] as [UInt64])
  func orderAndSplitsDoNotChangeABit(exponents: ClosedRange<Int>, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let values = wildDoubles(count: 5000, exponents: exponents, using: &generator)
    let whole = ExactSum(values)
    for parts in [1, 2, 7, 100] {
      var sums = [ExactSum](repeating: ExactSum(), count: parts)
      for value in values.shuffled(using: &generator) {
        sums[Draw.index(below: parts, using: &generator)].add(value)
      }
      let merged = sums.reduce(into: ExactSum()) { $0.merge($1) }
      #expect(merged == whole)
      #expect(merged.value.bitPattern == whole.value.bitPattern)
      #expect(merged.rounded2 == whole.rounded2)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func productsAreExactWhereTheirErrorTermFits(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for _ in 0..<30 {
      let factors = wildDoubles(count: 40, exponents: 540...1500, using: &generator)
      var (sum, twin) = (ExactSum(), BitwiseSum())
      for (a, b) in zip(factors, factors.reversed()) {
        sum.add(product: a, b)
        twin.add(product: a, b)
      }
      #expect(sum.value == twin.value)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func manyTimesIsTheSameAsRepeating(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for exponents in Self.exponentRanges {
      for value in wildDoubles(count: 10, exponents: exponents, using: &generator) {
        let count = Draw.index(below: 300, using: &generator)
        var (one, many) = (ExactSum([0.1]), ExactSum([0.1]))
        for _ in 0..<count { one.add(value) }
        many.add(value, times: count)
        #expect(one == many, "\(value) times \(count)")
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func hugeCountsAreExact(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for value in wildDoubles(count: 50, exponents: 600...1400, using: &generator) {
      // The twin's counters have no room for more.
      let count = Int(generator.next() >> 3)
      var (sum, twin) = (ExactSum(), BitwiseSum())
      sum.add(product: value, 3.7, times: count)
      sum.add(0x1p100)
      twin.add(product: value, 3.7, times: count)
      twin.add(0x1p100)
      #expect(sum.value == twin.value, "\(value) times \(count)")
    }
    var largest = ExactSum()
    largest.add(.greatestFiniteMagnitude, times: .max)
    largest.add(-.greatestFiniteMagnitude, times: .max - 1)
    #expect(largest.value == .greatestFiniteMagnitude)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func theLowPartAndTheExpansionAreWhatIsLeft(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for _ in 0..<50 {
      let sum = ExactSum(wildDoubles(count: 20, exponents: 900...1100, using: &generator))
      let (high, low) = sum.rounded2
      #expect(high == sum.value)
      #expect(high + low == high)
      #expect(ExactSum(sum.expansion) == sum)
      #expect(Array(sum.expansion.prefix(2)) == [high, low].filter { $0 != 0 })
    }
  }

  @Test func carriesMoveUpBeforeAChunkOverflows() {
    // The largest high part is reached by full significands at the highest shift.
    let value = Double(sign: .plus, exponentBitPattern: 32, significandBitPattern: (1 << 52) - 1)
    var (sum, product) = (ExactSum(), ExactSum())
    for _ in 0..<10_001 { sum.add(value) }
    product.add(value, times: 10_001)
    #expect(sum == product)
    #expect(sum.value == value * 10_001)
  }

  @Test func intermediateOverflowIsNoHarm() {
    let huge = Double.greatestFiniteMagnitude
    #expect(ExactSum([huge, huge, -huge]).value == huge)
    #expect(ExactSum([huge, huge]).value == .infinity)
    #expect(ExactSum([-huge, -huge]).value == -.infinity)
    #expect(ExactSum([huge, huge]).rounded2 == (.infinity, 0))
    // Half of the last place rounds to even, which is beyond the range; a bit less does not.
    #expect(ExactSum([huge, 0x1p970]).value == .infinity)
    #expect(ExactSum([huge, 0x1.fffffffffffffp969]).value == huge)
  }

  @Test func tiesGoToTheEvenNeighbourUnlessALostBitDecides() {
    let (even, odd, next) = (1.0, 1 + 0x1p-52, 1 + 0x1p-51)
    #expect(ExactSum([even, 0x1p-53]).value == even)
    #expect(ExactSum([even, 0x1p-53, .leastNonzeroMagnitude]).value == odd)
    #expect(ExactSum([odd, 0x1p-53]).value == next)
    #expect(ExactSum([odd, 0x1p-53, -.leastNonzeroMagnitude]).value == odd)
  }

  @Test func specialValuesFollowFsum() {
    #expect(ExactSum([.infinity, 1]).value == .infinity)
    #expect(ExactSum([1, -.infinity]).value == -.infinity)
    #expect(ExactSum([.infinity, -.infinity]).value.isNaN)
    #expect(ExactSum([.nan, .infinity]).value.isNaN)
    #expect(ExactSum([.nan]) == ExactSum([.nan]))
    var sum = ExactSum([1])
    sum.merge(ExactSum([.infinity]))
    #expect(sum.value == .infinity)
    sum.add(.nan, times: 0)
    #expect(sum.value == .infinity)
    sum.add(.nan, times: 2)
    #expect(sum.value.isNaN)
    #expect(sum.rounded2.low == 0)
    #expect(sum.expansion.isEmpty)
  }

  @Test func zeroIsPositive() {
    #expect(ExactSum().value.bitPattern == 0)
    #expect(ExactSum([-0.0, -0.0]).value.bitPattern == 0)
    #expect(ExactSum([1e-300, -1e-300]).value.bitPattern == 0)
    #expect(ExactSum([1e-300, -1e-300]) == ExactSum())
  }

  @Test func productsAtTheEndsOfTheRangeDoAsDocumented() {
    var sum = ExactSum()
    sum.add(product: 1e200, 1e200)
    #expect(sum.value == .infinity)
    var tiny = ExactSum()
    tiny.add(product: 0x1.8p-537, 0x1p-537)
    // 1.5 · 2⁻¹⁰⁷⁴ rounds to the even 2 · 2⁻¹⁰⁷⁴, and its error term, half a step, to zero.
    #expect(tiny.value == 0x1p-1073)
  }

  @Test func anInstanceTakesFortyEightBytes() {
    #expect(MemoryLayout<ExactSum>.stride <= 48)
    #expect(MemoryLayout<Moments>.stride <= 104)
  }
}
