import EventLog
import Projections
import Replay
import Reports
import TestSupport
import Testing

/// The example of the catalogue of `Projections`.
@Suite("Example of Projections")
struct ProjectionsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let folder = try TemporaryFolder()
    let log = try LogReader(dataset("storefront.log"))
    let model = ReadModel(folder.path("storefront.sqlite"))
    let update = try model.update(from: log)
    print(update.eventsRead, update.position)

    let rewards = try model.result(of: RewardReport.self)
    print(rewards.result.segments.count, "variants up to position", rewards.position)
    #expect(shown.lines.first == "50000 50000")
    #expect(shown.lines.last?.hasSuffix("variants up to position 50000") == true)
  }
}
