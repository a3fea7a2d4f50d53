import EventLog
import Foundation
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
    let table = try RewardReport { $0.per = .unit }.table(of: log)
    try AtomicFile.write(write(table, as: .csv), to: folder.path("rewards.csv"))
    let text = try String(contentsOfFile: folder.path("rewards.csv"), encoding: .utf8)
    #expect(text.hasPrefix("experiment,point,slot,variant,decisions,"))
  }
}
