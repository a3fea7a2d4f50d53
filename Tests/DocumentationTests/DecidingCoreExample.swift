import DecidingCore
import Events
import TestSupport
import Testing

/// The example of the catalogue of `DecidingCore`.
@Suite("Example of DecidingCore")
struct DecidingCoreExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() {
    let restrictions = Restrictions(
      holdout: Holdout(name: "holdout-2026", share: 0.05),
      groups: [ExclusionGroup(name: "cart", members: ["one-page", "new-button"])])
    let reasons = ["u-1", "u-2", "u-3"].map { unit in
      restrictions.refusal(of: UnitID(unit), in: "one-page", at: SystemTime().now)
    }
    print(reasons.map { $0?.rawValue ?? "let in" })
    #expect(reasons.contains(nil) && reasons.contains(.exclusionGroup))
    #expect(shown.lines.count == 1)
  }
}
