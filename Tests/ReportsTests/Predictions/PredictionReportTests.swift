import Events
import Platform
import Plots
import Prediction
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

/// Takes of options as JSON Lines.
enum Takes {
  /// A take of an option at a second of 2026.
  static func take(
    _ second: Int, _ option: String, unit: String = "u1", study: String = "tabs"
  ) -> String {
    #"{"type":"dataPoint","time":\#(1_767_225_600 + second),"unit":"\#(unit)","#
      + #""kind":"optionTaken","key":"\#(study)","value":"\#(option)"}"#
  }

  /// a, b, a, a of one unit: two novel options, a tie, and a take that is told from the other.
  static let small = zip(1..., ["a", "b", "a", "a"]).map { take($0, $1) }
}

@Suite("The report of predictions")
struct PredictionReportTests {
  private func report(
    _ lines: [String], _ predictors: [String] = ["beauchamp"], by dimension: String? = nil,
    _ change: (inout EvaluationPlan) -> Void = { _ in }
  ) throws -> PredictionTables {
    let log = try SmallLog(lines)
    var rules = PredictionRules(predictors: try predictors.map { try Predictors.named($0) })
    change(&rules.plan)
    var selection = UnitSelection()
    if let dimension { selection.dimension = .init(dimension) }
    let result = try LogReplay(log.reader, jobs: 2).predictions(selection, rules)
    return PredictionTables(result, dimension: selection.dimension)
  }

  private func cell(_ table: Table, _ row: Int, _ column: String) -> TableCell {
    guard let index = table.columns.firstIndex(where: { $0.name == column }) else {
      Issue.record("no column \(column)")
      return .empty
    }
    return table.rows[row][index]
  }

  private func expect(
    _ table: Table, row: Int = 0, _ column: String, _ value: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard case .decimal(let found) = cell(table, row, column) else {
      Issue.record("\(column) has no number", sourceLocation: sourceLocation)
      return
    }
    #expect(abs(found - value) < 1e-12, "\(column)", sourceLocation: sourceLocation)
  }

  /// −ln 1e-15, which a novel take loses.
  private static let miss = 34.538776394910684

  @Test("the first columns are those that the design has, in their order")
  func heading() throws {
    let csv = text(write(try report([]).table(.scores), as: .csv))
    #expect(
      csv.hasPrefix(
        "study,predictor,events,hits,hit_rate,mrr,log_loss,brier,ece,units,novel,blind,"))
    #expect(csv.split(separator: "\n").count == 1)
    #expect(
      csv.contains(",hit_at_1,hit_at_3,hit_at_5,ndcg_at_1,ndcg_at_3,ndcg_at_5,mrr_optimistic,"))
    #expect(csv.hasSuffix(",tie_rule,bin_rule,log_base,clip,warm_up,delay_seconds\n"))
  }

  @Test("every default predictor exists")
  func standard() {
    #expect(PredictionReport.standardPredictors.count == 17)
  }

  @Test("a small log matches a calculation by hand")
  func golden() throws {
    // Confidences before each take: none; a 1/2; a 1/3, b 1/3; a 1/2, b 1/4.
    let table = try report(Takes.small).table(.scores)
    #expect(table.rows.count == 1)
    for (column, count) in [("events", 4), ("hits", 2), ("units", 1), ("novel", 2), ("blind", 1)] {
      #expect(cell(table, 0, column) == .integer(count), "\(column)")
    }
    let loss: Double = (2 * Self.miss + log(3.0) + log(2.0)) / 4
    let brier = (1 + 1.25 + 5.0 / 9 + 0.3125) / 4
    let gain = (1 + 1 / log2(3.0)) / 4
    let bits = loss / log(2.0)
    let expected: [(String, Double)] = [
      ("hit_rate", 0.5), ("mrr", 0.375), ("log_loss", loss),
      ("brier", brier),
      // Bins of four takes: no confidence and a miss, 1/3 and right, and twice 1/2 of which one was right.
      ("ece", 1.0 / 6), ("hit_at_1", 0.5), ("hit_at_3", 0.5), ("ndcg_at_1", 0.25),
      ("ndcg_at_3", gain), ("mrr_optimistic", 0.5),
      ("mrr_average", 5.0 / 12), ("mrr_declared", 0.5), ("log_loss_bits", bits),
      ("threshold", 0.5), ("coverage", 0), ("mce", 2.0 / 3), ("unit_hit_rate", 0.5),
      ("unit_mrr", 0.375), ("unit_log_loss", loss), ("clip", 1e-15), ("delay_seconds", 0),
    ]
    for (column, value) in expected { expect(table, column, value) }
    // Strictly above: no confidence was.
    #expect(cell(table, 0, "accuracy_above") == .empty)
    #expect(cell(table, 0, "tie_rule") == .text("declared first; mrr and ndcg pessimistic"))
    #expect(cell(table, 0, "bin_rule") == .text("10 equal [low, high), 1 in the last"))
    #expect(cell(table, 0, "warm_up") == .integer(0))
  }

  @Test("warm-up, thresholds, cutoffs and bins follow the parameters")
  func plans() throws {
    let warm = try report(Takes.small) { plan in
      plan.warmUp = 2
      plan.thresholds = [0.4, 0.9]
      plan.cutoffs = [2]
      plan.bins = 4
    }
    let table = try warm.table(.scores)
    #expect(cell(table, 0, "events") == .integer(2) && cell(table, 0, "hits") == .integer(2))
    expect(table, "log_loss", (log(3.0) + log(2.0)) / 2)
    expect(table, "threshold", 0.4)
    expect(table, "coverage", 0.5)
    expect(table, "accuracy_above", 1)
    expect(table, "hit_at_2", 1)
    #expect(cell(table, 0, "bin_rule") == .text("4 equal [low, high), 1 in the last"))
    #expect(cell(table, 0, "warm_up") == .integer(2))
    let thresholds = try warm.table(.thresholds)
    #expect(thresholds.rows.count == 2)
    #expect(
      cell(thresholds, 0, "acted") == .integer(1) && cell(thresholds, 1, "acted") == .integer(0))
    #expect(cell(thresholds, 1, "accuracy") == .empty)
    // A take is known after 10 s: nothing is when the next ones are predicted.
    let late = try report(Takes.small) { $0.delay = 10_000_000 }.table(.scores)
    #expect(cell(late, 0, "blind") == .integer(4))
    expect(late, "delay_seconds", 10)
  }

  @Test("a row for each study and predictor that was asked for, by their bytes")
  func rows() throws {
    let lines =
      Takes.small + [Takes.take(9, "x", study: "Zoo"), Takes.take(10, "x", study: "Zoo")]
    let table = try report(lines, ["uniform", "beauchamp"]).table(.scores)
    #expect(
      table.rows.map { [$0[0], $0[1]] } == [
        [.text("Zoo"), .text("beauchamp")], [.text("Zoo"), .text("uniform")],
        [.text("tabs"), .text("beauchamp")], [.text("tabs"), .text("uniform")],
      ])
    // Of two options that tie, the pessimistic rank is 2; of four takes one of a sure option, that was another's, is off
    // by 1, and two of 1/2 that were right by 1/2.
    expect(table, row: 3, "mrr", 0.25)
    expect(table, row: 3, "ece", 0.5)
    #expect(cell(table, 3, "baseline") != .text("uniform"))
  }

  @Test("rows are broken down by a property of the unit")
  func breakdown() throws {
    let plan =
      #"{"type":"dataPoint","time":1767225603,"unit":"u1","kind":"plan","key":"","value":"pro"}"#
    let lines = Array(Takes.small[..<2]) + [plan] + Takes.small[2...]
    let report = try report(lines, by: "data.plan")
    let table = try report.table(.scores)
    #expect(table.columns.suffix(2).map(\.name) == ["dimension", "dimension_value"])
    #expect(table.rows.count == 2)
    #expect(cell(table, 0, "dimension_value") == .empty)
    #expect(cell(table, 1, "dimension_value") == .text("pro"))
    #expect(cell(table, 1, "events") == .integer(2) && cell(table, 1, "hits") == .integer(2))
    for kind in PredictionTable.allCases where kind != .advice {
      #expect(try report.table(kind).columns.last?.name == "dimension_value", "\(kind)")
    }
  }

  @Test("calibration has a row for each bin, including empty ones, and for each decile")
  func calibration() throws {
    let table = try report(Takes.small).table(.calibration)
    #expect(table.rows.count == 20)
    #expect(
      table.rows.map { $0[2] } == Array(repeating: .text("decile"), count: 10)
        + Array(repeating: .text("width"), count: 10))
    let bins = 10..<20
    #expect(
      bins.map { cell(table, $0, "events") } == [1, 0, 0, 1, 0, 2, 0, 0, 0, 0].map { .integer($0) })
    expect(table, row: 13, "confidence", 1.0 / 3)
    expect(table, row: 13, "gap", 2.0 / 3)
    expect(table, row: 15, "hit_rate", 0.5)
    expect(table, row: 15, "low", 0.5)
    #expect(cell(table, 11, "hit_rate") == .empty && cell(table, 11, "ci_low") == .empty)
    // Wilson's interval of 1 of 2.
    let z = 1.959963984540054
    let reach = z * (0.125 + z * z / 16).squareRoot() / (1 + z * z / 2)
    expect(table, row: 15, "ci_low", 0.5 - reach)
    expect(table, row: 15, "ci_high", 0.5 + reach)
  }

  @Test("the learning curve goes along the histories of units and along time")
  func learning() throws {
    let lines = Takes.small + [Takes.take(2 * 86_400, "b")]
    let table = try report(lines).table(.learningCurve)
    // Five earlier takes, and three days of which the second is empty.
    #expect(table.rows.count == 8)
    #expect((0..<5).map { cell(table, $0, "takes_from") } == (0..<5).map { .integer($0) })
    #expect((0..<5).map { cell(table, $0, "hits") } == [0, 0, 1, 1, 0].map { .integer($0) })
    expect(table, row: 3, "cumulative_hit_rate", 0.5)
    #expect(cell(table, 5, "time_from") == .timestamp("2026-01-01T00:00:00Z"))
    #expect(cell(table, 5, "time_to") == .timestamp("2026-01-02T00:00:00Z"))
    #expect((5..<8).map { cell(table, $0, "events") } == [4, 0, 1].map { .integer($0) })
    #expect(cell(table, 6, "hit_rate") == .empty)
    expect(table, row: 6, "rolling_hit_rate", 0.5)
    expect(table, row: 7, "rolling_hit_rate", 0.4)
  }

  /// Takes of units that each have a habit of their own, but for every third take.
  private static let habits = (0..<12).flatMap { unit in
    (0..<(20 + unit)).map { number in
      let option = number % 3 == 0 ? ["a", "b", "c"][number / 3 % 3] : ["a", "b", "c"][unit % 3]
      return Takes.take(number * 100 + unit, option, unit: "u\(unit)")
    }
  }

  @Test("skill is against every baseline but oneself, with an interval over units")
  func skill() throws {
    let report = try report(Self.habits, ["beauchamp", "markov:order=1"])
    let scores = try report.table(.scores)
    let table = try report.table(.skill)
    // Four baselines, of which beauchamp is one itself.
    #expect(table.rows.count == 2 * 4 - 1)
    #expect(table.rows.allSatisfy { $0[1] != $0[2] && $0[3] == .integer(12) })
    for row in 0..<table.rows.count {
      guard case .decimal(let skill) = cell(table, row, "log_loss_skill"),
        case .decimal(let low) = cell(table, row, "log_loss_skill_ci_low"),
        case .decimal(let high) = cell(table, row, "log_loss_skill_ci_high")
      else {
        Issue.record("row \(row) has no skill")
        continue
      }
      #expect(low <= skill && skill <= high)
    }
    // The table of scores has that against the best baseline.
    let best = cell(scores, 1, "baseline")
    let same = table.rows.first { $0[1] == .text("markov:order=1") && $0[2] == best }
    #expect(same?[5] == cell(scores, 1, "log_loss_skill"))
    #expect(cell(scores, 0, "baseline") != .text("beauchamp"))
    let history = try report.table(.history)
    #expect(
      history.rows.contains { $0[3] == .integer(16) } && !history.rows.contains { $0[1] == $0[2] })
  }

  @Test("recommends a predictor in words, first of all and as a table")
  func advice() throws {
    let report = try report(Self.habits, ["markov:order=1", "beauchamp"])
    let table = try report.table(.scores)
    let words = try #require(table.answer.first)
    #expect(words.hasPrefix("tabs: ") && words.contains("log loss") && words.contains("nats"))
    let advice = try report.table(.advice)
    #expect(advice.rows.count == 1 && cell(advice, 0, "units") == .integer(12))
    #expect(cell(advice, 0, "advice") == .text(String(words.dropFirst("tabs: ".count))))
    let json = text(write(table, as: .json))
    #expect(json.contains(#""answer":["tabs: "#) && json.contains(#""takes":306"#))
    #expect(text(write(table, as: .table)).hasPrefix("tabs: "))
    #expect(text(write(table, as: .markdown)).contains("tabs: "))
  }

  @Test("the notes state the declared parameters")
  func notes() throws {
    let table = try report(Takes.small) { $0.delay = 3_600_000_000 }.table(.scores)
    let notes = Dictionary(table.notes.map { ($0.name, $0.value) }) { first, _ in first }
    #expect(notes["delay"] == .text("1h") && notes["warm_up"] == .integer(0))
    #expect(notes["takes"] == .integer(4) && notes["takes_novel"] == .integer(2))
    for name in [
      "over", "protocol", "tie_rule", "bin_rule", "log_loss", "brier", "novel", "baselines",
      "interval",
    ] {
      #expect(notes[name] != nil, "\(name)")
    }
    let all = try report(
      (0..<25).map { Takes.take($0, "x", study: "s\($0)") }
    ).table(.scores)
    #expect(all.answer.first?.hasPrefix("Of 25 studies, the lowest log loss: ") == true)
    #expect(
      all.notes.contains { $0.name == "advice_20" }
        && !all.notes.contains { $0.name == "advice_21" })
    #expect(
      all.notes.first { $0.name == "advice_not_listed" }?.value
        == .text("of 5 more studies; --table advice has them all"))
  }

  @Test("plots have a diagram and a line for each study and predictor")
  func plots() throws {
    let report = try report(Self.habits, ["markov:order=1", "uniform"])
    let diagrams = try #require(SVGContent(PredictionReport.figures(of: report.table(.calibration))[0].svg))
    let bins = try report.table(.calibration).rows.count { row in
      row[2] == .text("width") && row[6] != .integer(0)
    }
    #expect(diagrams.count("circle") == bins && bins > 2)
    #expect(diagrams.texts.contains { $0.hasPrefix("tabs: ECE ") } && !diagrams.isBroken)
    #expect(diagrams.says("markov:order=1"))
    let curves = try #require(SVGContent(try PredictionReport.figures(of: report.table(.learningCurve))[0].svg))
    #expect(curves.count("path") == 2 * 2 && curves.says("tabs") && !curves.isBroken)
    let empty = try self.report([])
    let nothing = try #require(SVGContent(PredictionReport.figures(of: empty.table(.calibration))[0].svg))
    #expect(nothing.texts.joined(separator: " ").contains("no takes were predicted"))
    let many = try self.report((0..<30).map { Takes.take($0, "x", study: "s\($0)") })
    let figures = try PredictionReport.figures(of: many.table(.learningCurve))
    #expect(figures.count > 1 && figures[1].name == "learning_curve_2")
    #expect(figures[0].description.hasSuffix("6 more studies, with fewer takes, are not drawn."))
  }
}
