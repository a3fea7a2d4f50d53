import EventLog
import Foundation
import Replay
import Reports
import Tables
import TestSupport
import Testing

/// The example of the catalogue of `Reports`.
@Suite("Example of Reports")
struct ReportsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let folder = try TemporaryFolder()
    let log = try LogReader(dataset("storefront.log"))
    let tallies = try Replay(log).run(UnitSelection(), units: RewardProjector())
    let names = try LogNames(log, [.experiments, .points, .slots, .variants])
    let table = try RewardReport.table(tallies, names: names, per: .unit)
    try AtomicFile.write(write(table, as: .csv), to: folder.path("rewards.csv"))
    let text = try String(contentsOfFile: folder.path("rewards.csv"), encoding: .utf8)
    #expect(text.hasPrefix("experiment,point,slot,variant,decisions,"))
  }
}
