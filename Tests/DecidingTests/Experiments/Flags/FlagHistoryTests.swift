import DecidingCore
import Events
import Testing

@testable import DecidingExperiments

@Suite("Experiments: what the random histories of flags reach")
struct FlagHistoryTests {
  @Test("every status and reason of a flag's decision, and every kind of event about flags")
  func reach() async throws {
    var reached: Set<String> = []
    for seed in 0..<200 as Range<UInt64> {
      var history = try FlagHistory(seed: seed)
      await history.run(22)
      for event in history.live.events {
        switch event.payload {
        case .decision(let decision) where decision.experiment != "1":
          reached.insert("\((decision.status ?? .confirmed).name) \(decision.reason ?? "")")
        case .dataPoint(let datum): reached.insert(datum.kind)
        case .configurationApplied(let applied): reached.insert(applied.reason ?? "")
        default: reached.insert(event.kind.name)
        }
      }
    }
    let expected: Set = [
      "confirmed hash", "confirmed delivered", "confirmed adaptive", "confirmed forced",
      "provisional reallocated", "provisional hash", "provisional delivered",
      "provisional adaptive",
      "repeated sticky", "repeated forced", "excluded default", "excluded holdout",
      "excluded exclusion-group", "consent", "scores", "likelihood", "forced", "unforced", "set",
      "decisionConfirmed", "activity", "conversion",
    ]
    let missing = expected.filter { !reached.contains($0) }
    #expect(missing.isEmpty, "\(reached.sorted())")
  }
}
