import Specifications
import TestSupport
import Testing

@testable import Replay

@Suite("Decisions counted in ranges of their order")
struct OrderHistogramTests {
  @Test("rows are after 1, 2, 5, 10, 20, 50, ... decisions and after all")
  func checkpoints() {
    #expect(DecisionOrder.checkpoints(0) == [])
    #expect(DecisionOrder.checkpoints(1) == [1])
    #expect(DecisionOrder.checkpoints(2) == [1, 2])
    #expect(DecisionOrder.checkpoints(3) == [1, 2, 3])
    #expect(DecisionOrder.checkpoints(20) == [1, 2, 5, 10, 20])
    #expect(DecisionOrder.checkpoints(1_234) == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 1_234])
    #expect(DecisionOrder.checkpoints(.max).last == .max)
    #expect(DecisionOrder.checkpoints(.max).count == 58)
  }

  @Test("keys are ordered by time, then by unit, then by history")
  func keys() {
    let order = DecisionOrder(UnitContext())
    let times = [Int64.min, -1, 0, 1, .max]
    let keys = times.flatMap { time in
      [1, 2, UInt32.max].flatMap { unit in
        [0, 1, 7].map { index in
          order.key(
            UnitEvent(
              time: time, number: 0, unit: unit, experiment: 0, subject: 0, kind: .decision), index)
        }
      }
    }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == keys.count)
  }

  @Test(
    "the range of a rank contains its key, and gives the number of keys before it",
    arguments: 0..<200)
  func ranges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let keys = randomKeys(&random).shuffled(using: &random)
    let limit = [2, 3, 16, 40, 4_096][random.index(5)]
    // As on several threads.
    var parts = (0..<1 + random.index(4)).map { _ in OrderHistogram(limit: limit) }
    for key in keys { parts[random.index(parts.count)].add(key) }
    let histogram = parts.dropFirst().reduce(into: parts[0]) { $0.merge($1) }
    var sorted = OrderHistogram(limit: limit)
    for key in keys.sorted() { sorted.add(key) }
    #expect(bytes(histogram) == bytes(sorted), "seed \(seed)")
    var reader = StateReader(bytes(sorted))
    var read = OrderHistogram(limit: limit)
    try read.read(from: &reader)
    #expect(reader.isAtEnd && bytes(read) == bytes(sorted) && read.total == keys.count)
    for length in 0..<bytes(sorted).count {
      var reader = StateReader(bytes(sorted), 0..<length)
      var read = OrderHistogram(limit: limit)
      #expect(throws: StateError.self) { try read.read(from: &reader) }
    }
    #expect(histogram.total == keys.count)
    let inOrder = keys.sorted()
    let ranks = DecisionOrder.checkpoints(keys.count)
    let ranges = histogram.ranges(of: ranks.map { $0 + 7 }, before: 7)
    for rank in ranks {
      let range = ranges.first { $0.contains(inOrder[rank - 1]) }
      #expect(range?.count == inOrder.count { range?.contains($0) == true }, "seed \(seed)")
      #expect(range?.before == 7 + inOrder.count { $0 < range?.low ?? 0 }, "seed \(seed)")
      #expect(
        inOrder.allSatisfy {
          range?.isReached(by: $0) == (range?.contains($0) == false && $0 > range?.low ?? 0)
        })
    }
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.low < $1.low })
    #expect(histogram.ranges(of: [8 + keys.count], before: 7) == [])
  }

  private func bytes(_ histogram: OrderHistogram) -> [UInt8] {
    var writer = StateWriter()
    histogram.write(to: &writer)
    return writer.bytes
  }

  /// Keys that lie close together, far apart, or at the ends of what there is.
  private func randomKeys(_ random: inout SeededGenerator) -> [UInt128] {
    let spread = [4, 12, 40, 127][random.index(4)]
    let base = random.chance(0.5) ? 0 : UInt128.max - (1 << 100)
    return (0..<1 + random.index(150)).map { index in
      if random.chance(0.02) { return random.chance(0.5) ? 0 : .max }
      if random.chance(0.1) { return base }
      let number = UInt128(random.next()) << 64 | UInt128(random.next())
      return (base &+ (number & ((1 << UInt128(spread)) - 1))) &+ UInt128(index)
    }
  }
}
