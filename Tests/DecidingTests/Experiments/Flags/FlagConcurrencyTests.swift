import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: concurrency of flags")
struct FlagConcurrencyTests {
  @Test("many threads and tasks leave a log that rebuilds what they left")
  func manyAtOnce() async throws {
    let live = try ExperimentsWorld(flags: ruleFlag, #""consent":"partial""#)
    let client = live.client
    let calls = { @Sendable (seed: UInt64) in
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<100 {
        let user = "u\(generator.index(10))"
        switch generator.index(5) {
        case 0: try? client.setConsent(generator.chance(0.7), for: user)
        case 1: try? client.addData(userID: user, [FlagHistory.datum(&generator)])
        case 2: _ = try? client.variations(for: user, track: generator.chance(0.5))
        case 3:
          try? client.setForcedVariation(
            generator.chance(0.5) ? "control" : nil, in: "checkout", for: user)
        default: _ = try? client.variation(of: "checkout", for: user)
        }
      }
    }
    onThreads(4) { calls(UInt64($0)) }
    await withTaskGroup(of: Void.self) { group in
      for seed in 10..<20 as Range<UInt64> { group.addTask { calls(seed) } }
    }
    #expect(live.told.count > 500)
    try live.expectReplays()
  }
}
