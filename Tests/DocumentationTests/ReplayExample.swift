import EventLog
import Replay
import TestSupport
import Testing

/// The example of the catalogue of `Replay`.
@Suite("Example of Replay")
struct ReplayExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let log = try LogReader(dataset("storefront.log"))
    let replay = LogReplay(log)
    let tallies = try replay.run(UnitSelection(), units: RewardProjector())
    let names = try LogNames(log, [.experiments, .variants])
    for (segment, tally) in tallies.segments {
      let experiment = names.string(segment.arm.experiment, in: .experiments) ?? ""
      let variant = names.string(segment.arm.variant, in: .variants) ?? ""
      print(experiment, variant, tally.decisions, tally.rewards)
    }
    #expect(shown.lines.count > 10)
    #expect(shown.lines.contains { $0.hasPrefix("pricing regular ") })
  }
}
