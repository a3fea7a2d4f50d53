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

  /// A term, in the plural or singular, in capitals and with spaces.
  private static func forms(_ term: String) -> [String] {
    let other = term.hasSuffix("ss") ? term + "es" : term.hasSuffix("s") ? String(term.dropLast()) : term + "s"
    return [term, other].flatMap { [$0, $0.uppercased(), $0.replacing("_", with: " ")] }
  }

  @Test("every heading of a card, of compare and of decisions is explained, in any case and number")
  func headings() throws {
    let cards = try Self.cards()
    let tables = cards.map(\.table.columns) + [DecisionReport.columns.headings, ComparisonReport.columns.headings]
    let recommended = ["recommendation", "until", "recommendation_reason"]
    for name in Set(tables.joined().map(\.name) + recommended).sorted() {
      for form in Self.forms(name) { expectExplained(form) }
    }
  }

  @Test("every word below the rows of a card is explained, in any case and number")
  func lines() throws {
    let plain: Set = ["yes", "no", "other", "of", "per", "and", "new", "control", "g", "ms", "p", "as"]
    let lines = try Self.cards().flatMap(\.lines)
    #expect(Set(lines.map(\.name)) == ["Guardrails", "Trust", "Next"])
    let texts = lines.filter { $0.name != "Next" }.map(\.text)
    let words = Set((lines.map(\.name) + texts).flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) })
    #expect(words.contains("holds") && words.contains("worst"))
    for word in words.subtracting(plain).sorted() { for form in Self.forms(word) { expectExplained(form) } }
    expectExplained("p")
    let phrases = ["at worst", "pp", "unit", "exposure", "margin", "lift", "interval", "look", "guessed"]
    for phrase in phrases { for form in Self.forms(phrase) { expectExplained(form) } }
  }

  /// Cards of variants that ship and that are rolled back, with a guardrail.
  private static func cards() throws -> [TableCard] {
    let events =
      ComparedUnits.units(
        "control", ["g": (0..<800).map { $0 < 160 ? 1 : 0 }, "ms": (0..<800).map { 100 + Double($0 % 9) }])
      + ComparedUnits.units(
        "new", ["g": (0..<800).map { $0 < 320 ? 1 : 0 }, "ms": (0..<800).map { 130 + Double($0 % 9) }])
    let log = try ComparisonLog(events)
    return try ["0.5", "0.1"].flatMap { margin in
      let plan = try AnalysisPlan(
        yaml: """
          experiments:
            e:
              metric: "converted:goal=g"
              guardrails: [{metric: "reward:goal=ms,direction=lower", margin: \(margin)}]
          """, path: "plan.yaml")
      return try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2)).cards
    }
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
