import EventLog
import Events
import OffPolicy
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Report evaluate")
struct EvaluationReportTests {
  @Test("a row for each policy, estimator and interval; the columns of the design come first")
  func values() throws {
    let log = try EvaluatedLog(400)
    let plan = try EvaluatedLog.plan(
      ["uniform", "fixed:variant=b"], ["ips", "dr", "switch-dr"],
      intervals: ["normal", "hoeffding:low=0,high=2"])
    let table = try log.result(EvaluationReport { $0.plan = plan }).table
    #expect(table.rows.count == 12)
    #expect(
      table.columns.map(\.name).prefix(12) == [
        "experiment", "policy", "estimator", "decisions", "value", "se", "ci_low", "ci_high",
        "effective_sample_size", "mean_weight", "max_weight", "matched",
      ])
    // Clopper and Pearson's interval is of estimates of weights and rewards alone.
    for row in table.rows.indices {
      let isEmpty = table.cell("ci_low", row: row) == .empty
      let applies =
        table.text("estimator", row: row) == "ips" || table.text("interval", row: row) == "normal"
      #expect(isEmpty == !applies, "\(row)")
    }
    let value = try #require(table.number("value"))
    #expect(table.text("policy") == "fixed:variant=b" && abs(value - 0.6) < 0.15)
    #expect(table.answer.count == 2 && table.answer[0].hasPrefix("fixed:variant=b: answers: "))
    #expect(table.answer[0].contains("; it would earn 0.") && table.note(named: "verdict_1") == nil)
    #expect(table.note(named: "logged_propensities")?.text.hasPrefix("constant") == true)
  }

  @Test("the overlap of all variants adds up")
  func overlap() throws {
    let log = try EvaluatedLog(1_000, a: 0.8)
    let plan = try EvaluatedLog.plan(["uniform"])
    let table = try log.result(
      EvaluationReport {
        $0.plan = plan
        $0.askedTable = .overlap
      }
    ).table
    #expect(table.rows.count == 2)
    for (row, propensity) in [0.8, 0.2].enumerated() {
      #expect(table.cell("offered", row: row) == .integer(1_000))
      #expect(abs(try #require(table.number("propensity_mean", row: row)) - propensity) < 1e-12)
      #expect(table.cell("propensities", row: row) == .integer(1))
      #expect(table.cell("target_share", row: row) == .decimal(0.5))
    }
    let weights = try log.result(
      EvaluationReport {
        $0.plan = plan
        $0.askedTable = .weights
      }
    ).table
    // 0.5/0.8 and 0.5/0.2
    #expect(weights.cell("low", row: 0) == .decimal(0.5))
    #expect(weights.cell("low", row: 1) == .decimal(2) && weights.rows.count == 2)
    let shares = (0..<2).compactMap { weights.number("share", row: $0) }
    #expect(abs(shares.reduce(0, +) - 1) < 1e-12)
  }

  @Test("a policy is compared with another one in a sentence")
  func versus() throws {
    let log = try EvaluatedLog(2_000)
    let plan = try EvaluatedLog.plan(
      ["fixed:variant=b", "uniform"], ["cressie-read", "ips"], versus: 1)
    let table = try log.result(EvaluationReport { $0.plan = plan }).table
    #expect(table.name == "versus" && table.rows.count == 1)
    let difference = try #require(table.number("difference"))
    let (value, other) = (table.number("value") ?? 0, table.number("versus_value") ?? 0)
    #expect(abs(difference - (value - other)) < 1e-12 && abs(difference - 0.2) < 0.05)
    let sentence = try #require(table.answer.last)
    #expect(sentence.hasPrefix("policy fixed:variant=b earns 0."), "\(sentence)")
    #expect(sentence.contains(" more than uniform [0."), "\(sentence)")
    #expect(table.note(named: "estimators_without")?.text.hasPrefix("cressie-read: ") == true)
  }

  @Test("where less is better values are the same, and policies that seek rewards are refused")
  func lower() throws {
    let log = try EvaluatedLog(2_000)
    var plan = try EvaluatedLog.plan(["fixed:variant=b", "uniform"], ["ips"], versus: 1)
    let value = try log.result(EvaluationReport { $0.plan = plan }).table.number("value")
    plan.attribution.metric = try RewardMetric(parsing: "reward:direction=lower")
    let table = try log.result(EvaluationReport { $0.plan = plan }).table
    #expect(table.number("value") == value)
    #expect(table.answer.last?.contains(" more than uniform, and less is better [0.") == true)
    var seeking = try EvaluatedLog.plan(["epsilon-greedy"])
    seeking.attribution = plan.attribution
    let error = #expect(throws: ReportError.self) { try EvaluationReport { $0.plan = seeking } }
    #expect(error?.description.contains("of reward:direction=lower less is better") == true)
  }

  @Test("longer windows credit goals that came later")
  func windows() throws {
    let log = try EvaluatedLog(500, delay: 7_200_000_000)
    var plan = try EvaluatedLog.plan(["uniform"], ["ips"])
    plan.attribution.window = 3_600_000_000
    let table = try log.result(
      EvaluationReport {
        $0.plan = plan
        $0.windows = [3_600_000_000, 86_400_000_000, nil]
      }
    ).table
    let windows = table.rows.indices.compactMap { table.text("window", row: $0) }
    #expect(windows == ["1d", "1h", "none"])
    #expect(table.number("value", row: 1) == 0 && table.number("change", row: 1) == 0)
    let late = try #require(table.number("change", row: 2))
    #expect(abs(late - 0.4) < 0.1 && table.number("change", row: 0) == late)
    #expect(
      table.note(named: "window")?.text.contains("with the window none instead of 1h") == true)
  }

  @Test("periods have the decisions of all others together")
  func time() throws {
    let log = try EvaluatedLog(500)
    let plan = try EvaluatedLog.plan(["uniform"], ["ips", "dr"])
    let report = try EvaluationReport {
      $0.plan = plan
      $0.askedTable = .time
      $0.plots = EvaluationPlots(time: "time.svg")
    }
    let result = try log.result(report)
    // 500 minutes.
    #expect(
      result.table.rows.count == 18
        && result.table.note(named: "period")?.text.hasPrefix("1h") == true)
    var decisions = 0
    for row in result.table.rows.indices where result.table.text("estimator", row: row) == "ips" {
      if case .integer(let count) = result.table.cell("decisions", row: row) { decisions += count }
    }
    #expect(decisions == 500)
    #expect(result.table.cell("start") == .timestamp("1970-01-01T00:00:00Z"))
    let plot = try #require(result.files.first)
    let svg = try #require(SVGContent(plot.text))
    #expect(!svg.isBroken && svg.says("value by ips") && svg.count("circle") == 9)
  }

  @Test("the estimators are judged by a log of the policy itself")
  func truth() throws {
    let log = try EvaluatedLog(3_000, a: 0.5)
    let own = try EvaluatedLog(3_000, seed: 2, a: 0.9)
    let plan = try EvaluatedLog.plan(["weights:a=0.9;b=0.1"], ["ips", "snips", "dm", "slope"])
    let path = own.log.folder.path("log")
    let report = try EvaluationReport {
      $0.plan = plan
      $0.truth = EvaluationTruth(path: path, replicates: 200)
      $0.plots = EvaluationPlots(estimates: "forest.svg")
    }
    let result = try log.result(report)
    let table = result.table
    #expect(table.name == "truth" && table.rows.count == 4)
    for row in table.rows.indices {
      let (value, truth) = (table.number("value", row: row), table.number("truth", row: row))
      let error = try #require(table.number("relative_error", row: row))
      #expect(abs(error - abs((value ?? 0) / (truth ?? 1) - 1)) < 1e-9)
      #expect(abs(try #require(truth) - 0.24) < 0.03)
      let hasBootstrap = table.text("estimator", row: row)?.hasPrefix("slope") != true
      #expect((table.number("error_mean", row: row) != nil) == hasBootstrap)
    }
    let shares = table.rows.indices.compactMap { table.number("closest_share", row: $0) }
    #expect(shares.count == 3 && abs(shares.reduce(0, +) - 1) < 1e-9)
    #expect(table.notes.last?.name == "trust")
    let plot = try #require(result.files.first)
    let svg = try #require(SVGContent(plot.text))
    #expect(!svg.isBroken && svg.says("truth") && svg.count("circle") == 4)
  }

  @Test("a truth without the experiment, or without decisions, is an error")
  func noTruth() throws {
    let log = try EvaluatedLog(100)
    let path = log.log.folder.path("log")
    let plan = try EvaluatedLog.plan(["uniform"])
    let report = try EvaluationReport {
      $0.plan = plan
      $0.truth = EvaluationTruth(path: path, experiment: "f", replicates: 10)
    }
    let error = #expect(throws: ReportError.self) { try log.result(report) }
    #expect(error?.code == .badData && error?.description.contains("\"f\"") == true)
    #expect(throws: LogError.self) {
      try log.result(
        EvaluationReport {
          $0.plan = plan
          $0.truth = EvaluationTruth(path: path + "-none", replicates: 10)
        })
    }
  }

  @Test("plots of any policies are drawn")
  func plots() throws {
    let log = try EvaluatedLog(300, a: 0.95, choices: ["a", "b", "c"])
    let plan = try EvaluatedLog.plan(
      ["uniform", "fixed:variant=b", "fixed:variant=c"], ["ips", "snips"],
      intervals: ["normal", "student-t"])
    let report = try EvaluationReport {
      $0.plan = plan
      $0.plots = EvaluationPlots(estimates: "a.svg", weights: "b.svg", time: "c.svg")
    }
    let files = try log.result(report).files
    #expect(files.map(\.path) == ["a.svg", "b.svg", "c.svg"])
    let plots = files.compactMap { SVGContent($0.text) }
    #expect(plots.count == 3 && plots.allSatisfy { !$0.isBroken })
    #expect(plots[0].says("snips · student-t") && plots[0].says("no estimate"))
    #expect(plots[1].says("share of the weight") && plots[2].says("value by ips"))
    #expect(plots[0].says("fixed:variant=c: cannot-answer"))
    // Nothing to draw.
    let empty = try EvaluatedLog(0)
    let none = try empty.result(report)
    #expect(none.table.rows.isEmpty && none.files.count == 3)
    #expect(none.files.allSatisfy { SVGContent($0.text)?.isBroken == false })
  }

  @Test("parameters out of their range are refused by their names")
  func parameters() throws {
    let plan = try EvaluatedLog.plan(["uniform"])
    var same = plan
    same.policies += plan.policies
    let two = try EvaluatedLog.plan(["uniform", "logged"])
    let truth = EvaluationTruth(path: "log")
    let errors = [
      #expect(throws: ReportError.self) {
        try EvaluationReport {
          $0.plan = plan
          $0.level = 1
        }
      },
      #expect(throws: ReportError.self) { try EvaluationReport { $0.plan = same } },
      #expect(throws: ReportError.self) {
        try EvaluationReport {
          $0.plan = plan
          $0.askedTable = .versus
        }
      },
      #expect(throws: ReportError.self) {
        try EvaluationReport {
          $0.plan = plan
          $0.askedTable = .windows
        }
      },
      #expect(throws: ReportError.self) {
        try EvaluationReport {
          $0.plan = plan
          $0.windows = [1, 1]
        }
      },
      #expect(throws: ReportError.self) {
        try EvaluationReport {
          $0.plan = plan
          $0.windows = [-1]
        }
      },
      #expect(throws: ReportError.self) {
        try EvaluationReport {
          $0.plan = two
          $0.truth = truth
        }
      },
      #expect(throws: ReportError.self) {
        try EvaluationReport {
          $0.plan = plan
          $0.truth = EvaluationTruth(path: "log", replicates: 0)
        }
      },
    ]
    #expect(errors.allSatisfy { $0?.code == .badParameter })
    let names = errors.map { $0?.description.split(separator: " ").first ?? "" }
    #expect(
      names == ["alpha", "policy", "table", "table", "windows", "windows", "truth", "replicates"])
  }

  @Test("the explanation has every column of every table")
  func explanation() throws {
    let log = try EvaluatedLog(50)
    let plan = try EvaluatedLog.plan(["uniform", "logged"], versus: 1)
    let words = EvaluationReport.explanation.entries.map { "\($0.columns) \($0.formula)" }
      .joined(separator: " ").split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
    let known = Set(words.map { String($0) })
    let keys: Set = ["experiment", "policy", "point", "slot", "versus"]
    for table in EvaluationTable.allCases {
      let isTruth = table == .truth
      let report = try EvaluationReport {
        $0.plan = try isTruth ? EvaluatedLog.plan(["uniform"]) : plan
        $0.askedTable = table
        $0.windows = table == .windows ? [nil] : []
        $0.truth =
          isTruth
          ? EvaluationTruth(path: log.log.folder.path("log"), replicates: 10) : nil
      }
      for column in try log.result(report).table.columns {
        #expect(
          known.contains(column.name) || keys.contains(column.name), "\(table): \(column.name)")
      }
    }
  }
}
