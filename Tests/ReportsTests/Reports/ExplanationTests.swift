import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

/// Everything that a report prints as a word or a heading, taken from the catalogs.
@Suite("Explanations")
struct ExplanationTests {
  private static let catalog = ReportCatalog.standard.adding(LearningReport.self)

  /// Expects an explanation with a text.
  private func expectExplained(_ term: String) {
    do {
      let table = try Self.catalog.explanation(of: term)
      let isSaid = table.rows.allSatisfy { row in
        zip(table.columns, row).contains { ["meaning", "formula"].contains($0.name) && $1 != .empty }
      }
      #expect(!table.rows.isEmpty && isSaid, "\(term)")
    } catch {
      Issue.record("\(term) is not explained: \(error)")
    }
  }

  private static func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> [String] {
    Word.allCases.map(\.rawValue)
  }

  @Test("every report is explained, and every check of health")
  func checks() {
    for term in Self.catalog.all.map({ $0.name }) + Self.words(HealthCheck.Name.self) { expectExplained(term) }
  }

  @Test("every word of a metric is explained, of units and of decisions")
  func metrics() throws {
    for form in Metric.forms + RewardMetric.forms {
      expectExplained(String(form.prefix { $0 != ":" }))
    }
    for word in Self.words(QuantileReport.Metric.self) { expectExplained(word) }
    // The word of a report explains the report.
    for form in RewardMetric.forms where !Self.catalog.all.contains(where: { $0.name == form }) {
      let reports = try Self.catalog.explanation(of: form).rows.map { "\($0[$0.startIndex])" }
      #expect(reports.count { $0.contains("compare") } == 1, "\(form)")
      #expect(reports.count { $0.contains("rewards") } == 1, "\(form)")
    }
  }

  @Test("every word of a verdict is explained")
  func verdicts() {
    let words =
      Self.words(ComparisonVerdict.self) + Self.words(Recommendation.Action.self)
      + Self.words(EvaluationVerdict.Answer.self) + Self.words(HealthVerdict.self)
    for word in words { expectExplained(word) }
  }

  @Test("every column of every report is explained, whatever its options")
  func columns() throws {
    var random = SeededGenerator(seed: 1)
    let log = try ReportLog(SpelledWorld(names: .plain).events(&random))
    var columns = Set(Self.catalog.all.flatMap { $0.explanation.columns.map(\.name) })
    for prepared in try EveryReport(names: .plain).all() {
      var selection = UnitSelection()
      selection.dimension = prepared.dimension
      let table = try? prepared.report.table(of: LogReplay(log.reader, jobs: 1), selection)
      columns.formUnion(table?.columns.map(\.name) ?? [])
    }
    #expect(columns.count > 150)
    for column in columns.sorted() { expectExplained(column) }
  }

  @Test("an unknown term gets the nearest one")
  func unknown() {
    for (term, near) in [
      ("crosed_units", "crossed_units"), ("convertd", "converted"), ("cannot-anser", "cannot-answer"),
      ("rewards.ci_lo", "ci_low"),
    ] {
      let error = #expect(throws: ReportError.self) { try Self.catalog.explanation(of: term) }
      #expect(error?.description.contains("did you mean \"\(near)\"?") == true, "\(term)")
    }
  }
}
