import TestSupport
import Testing

@testable import Simulations

@Suite("Shards of a plan")
struct ShardTests {
  @Test("every run of every pair is in one shard, and the shards have as many, give or take one")
  func partitions() throws {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<2_000 {
      let (pairs, runs) = (1 + random.index(12), 1 + random.index(12))
      let count = 1 + random.index(20)
      var sizes = [Int](repeating: 0, count: count)
      let shards = try (1...count).map { try #require(Shard("\($0)/\(count)")) }
      for pair in 0..<pairs {
        for run in 0..<runs {
          let own = shards.filter { $0.contains(pair: pair, run: run, of: pairs) }
          #expect(own.count == 1)
          for shard in own { sizes[shard.number - 1] += 1 }
        }
      }
      #expect(sizes == shards.map { $0.runCount(of: pairs * runs) }, "\(pairs) \(runs) \(count)")
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test("one run of many pairs is divided, and many runs of one pair are")
  func divides() throws {
    for (pairs, runs) in [(64, 1), (1, 64), (8, 8)] {
      for number in 1...64 {
        #expect(try #require(Shard("\(number)/64")).runCount(of: pairs * runs) == 1)
      }
    }
  }

  @Test("no shard gets all runs of one pair, even if there are as many pairs as shards")
  func mixes() throws {
    let shard = try #require(Shard("2/4"))
    let pairs = (0..<8).flatMap { run in
      (0..<4).filter { shard.contains(pair: $0, run: run, of: 4) }
    }
    #expect(pairs.count == 8)
    for pair in 0..<4 { #expect(pairs.count { $0 == pair } == 2) }
  }

  @Test("numbers of any size do not overflow")
  func large() throws {
    let shard = try #require(Shard("99999999/100000000"))
    _ = shard.contains(pair: 9_999, run: .max / 2, of: 10_000)
    #expect(shard.runCount(of: 1_000_000_000_000) == 10_000)
  }
}
