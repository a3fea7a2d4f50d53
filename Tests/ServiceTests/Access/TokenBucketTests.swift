import TestSupport
import Testing

@testable import Service

@Suite("Token buckets")
struct TokenBucketTests {
  private static let second: Int64 = 1_000_000_000

  @Test("a client can use its burst at once, and then its rate")
  func rate() {
    var buckets = TokenBuckets(rate: 10, burst: 2)
    for _ in 0..<20 { #expect(buckets.take("a", now: 0) == nil) }
    #expect(buckets.take("a", now: 0) == 1)
    #expect(buckets.take("a", now: Self.second / 20) == 1)
    #expect(buckets.take("a", now: Self.second / 10) == nil)
    #expect(buckets.take("a", now: Self.second / 10) == 1)
    #expect(buckets.take("b", now: 0) == nil)
  }

  @Test("the seconds to wait are enough")
  func retry() {
    var buckets = TokenBuckets(rate: 0.1, burst: 2)
    #expect(buckets.take("a", now: 0) == nil)
    let seconds = buckets.take("a", now: 0)
    #expect(seconds == 10)
    #expect(buckets.take("a", now: 9 * Self.second) != nil)
    #expect(buckets.take("a", now: 10 * Self.second) == nil)
  }

  @Test(
    "over any time no client takes more than its burst and its rate",
    arguments: 1...5 as ClosedRange<UInt64>)
  func bound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var buckets = TokenBuckets(rate: 7, burst: 3)
    var now: Int64 = 0
    var taken = 0
    for _ in 0..<10_000 {
      now += Int64.random(in: 0...Self.second / 20, using: &random)
      if buckets.take("a", now: now) == nil { taken += 1 }
    }
    let most = 7 * 3 + Int(7 * Double(now) / Double(Self.second))
    #expect((most - 25...most + 1).contains(taken), "seed \(seed): \(taken) of \(most)")
  }

  @Test("the number of buckets is bounded, and full ones are forgotten first")
  func memory() {
    var buckets = TokenBuckets(rate: 1, burst: 1, clientLimit: 100)
    for client in 0..<100 { #expect(buckets.take("\(client)", now: 0) == nil) }
    // All buckets are in use, so further clients share one.
    #expect(buckets.take("x", now: 0) == nil)
    #expect(buckets.take("y", now: 0) == 1)
    #expect(buckets.count == 100)
    #expect(buckets.take("0", now: 0) == 1)
    #expect(buckets.take("z", now: 2 * Self.second) == nil)
    #expect(buckets.count == 1)
  }
}
