import Testing

@testable import Specifications
@testable import Statistics

@Suite("States of sums")
struct StateTests {
  private static let values: [Double] = [
    0, -0.0, 1, -1, 0.1, 3.99, 1e16, -1e16, 1e308, -1e308, .leastNonzeroMagnitude,
    -.leastNormalMagnitude / 8, 1.0 / 3,
    .infinity, -.infinity, .nan,
  ]

  private func sum(_ random: inout SplitMix64) -> [Double] {
    (0..<Int(random.next() % 12)).map { _ in
      Self.values[Int(random.next() % UInt64(random.next() % 3 == 0 ? 16 : 13))]
    }
  }

  private func bytes(_ sum: ExactSum) -> [UInt8] {
    var writer = StateWriter()
    sum.write(to: &writer)
    return writer.bytes
  }

  @Test("removing values from a sum leaves the sum of the others, bit for bit")
  func subtraction() {
    for seed in 0..<3_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let (kept, taken) = (sum(&random), sum(&random))
      var whole = ExactSum(kept + taken)
      whole.subtract(ExactSum(taken))
      let expected = ExactSum(kept)
      #expect(whole == expected && bytes(whole) == bytes(expected), "seed \(seed)")
      #expect(
        whole.value.bitPattern == expected.value.bitPattern || whole.value.isNaN, "seed \(seed)")
      #expect(whole.value.isNaN == expected.value.isNaN, "seed \(seed)")
    }
  }

  @Test("moments, and moments of pairs, can be removed again")
  func moments() {
    for seed in 0..<500 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let (kept, taken) = (sum(&random), sum(&random))
      var whole = Moments(kept + taken)
      whole.subtract(Moments(taken))
      #expect(whole == Moments(kept), "seed \(seed)")
      var pairs = RatioMoments()
      var covered = CupedMoments()
      for value in kept {
        pairs.add(value, over: 2)
        covered.add(value, covariate: 3)
      }
      let (before, coveredBefore) = (pairs, covered)
      var more = RatioMoments()
      var moreCovered = CupedMoments()
      for value in taken {
        more.add(value, over: value)
        moreCovered.add(value, covariate: value)
      }
      pairs.merge(more)
      pairs.subtract(more)
      covered.merge(moreCovered)
      covered.subtract(moreCovered)
      #expect(pairs == before && covered == coveredBefore, "seed \(seed)")
    }
  }

  @Test("states round-trip, and truncated ones are rejected")
  func roundTrip() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let moments = Moments(sum(&random))
      var covered = CupedMoments()
      for value in sum(&random) { covered.add(value, covariate: 1 - value) }
      var writer = StateWriter()
      moments.write(to: &writer)
      covered.write(to: &writer)
      var reader = StateReader(writer.bytes)
      #expect(try Moments(from: &reader) == moments, "seed \(seed)")
      #expect(try CupedMoments(from: &reader) == covered, "seed \(seed)")
      #expect(reader.isAtEnd)
      for end in [0, writer.count / 3, writer.count - 1] {
        var cut = StateReader(writer.bytes, 0..<end)
        #expect(throws: StateError.self, "seed \(seed)") {
          _ = try Moments(from: &cut)
          _ = try CupedMoments(from: &cut)
        }
      }
    }
  }

  @Test("numbers of every size round-trip, and invalid bytes are rejected")
  func numbers() throws {
    var writer = StateWriter()
    let signed: [Int64] = [0, -1, 1, 63, -64, 64, 1 << 40, .min, .max]
    for number in signed { writer.write(signed: number) }
    writer.write(-0.0)
    writer.write(tally: -5)
    var reader = StateReader(writer.bytes)
    for number in signed { #expect(try reader.readSigned() == number) }
    #expect(try reader.readDouble().sign == .minus)
    #expect(try reader.readTally() == 0)
    var long = StateReader(Array(repeating: 0x80, count: 9) + [2])
    #expect(throws: StateError.self) { try long.read() }
    var endless = StateReader(Array(repeating: 0xFF, count: 20))
    #expect(throws: StateError.self) { try endless.read() }
    var large = StateReader([0x80, 1])
    #expect(throws: StateError.self) { try large.readCount(below: 128) }
    var nothing = StateReader([1, 2, 3], 2..<9)
    #expect(throws: StateError.self) { try nothing.readByte() }
    var flags = StateReader([9])
    #expect(throws: StateError.self) { try ExactSum(from: &flags) }
  }
}
