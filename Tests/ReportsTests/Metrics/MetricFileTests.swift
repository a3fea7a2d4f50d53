import EventLog
import Events
import Replay
import Specifications
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Named metrics")
struct MetricFileTests {
  private static let text = """
    metrics:
      purchase-rate:
        value: converted:goal=g
        title: purchase rate
        owner: growth
        tags: [core]
      latency: {value: "reward:goal=ms", direction: lower, margin: 5%, unit: ms, decimals: 1, cap: 900}
      refunds: "conversions:goal=refund,direction=lower"
      early: {value: reward, window: 1d}
    """

  private func file(_ text: String = text) throws -> MetricFile {
    try MetricFile(yaml: text, path: "m.yaml")
  }

  @Test("a file has metrics with names, directions and labels")
  func read() throws {
    let file = try file()
    #expect(file.definitions.map(\.name) == ["purchase-rate", "latency", "refunds", "early"])
    let latency = try file.metric("latency")
    #expect(latency.description == "latency" && latency.direction == .lower && latency.cap == .absolute(900))
    #expect(latency.definition == "reward:goal=ms,direction=lower,cap=900")
    #expect(latency.label?.margin == 0.05 && latency.label?.unit == "ms")
    #expect(try file.metric("revenue") == Metric(.revenue))
    let table = try file.table
    #expect(table.rows.count == 4 && table.named[0].text("owner") == "growth")
  }

  @Test(
    "what is wrong is said with its line",
    arguments: [
      ("metrics: {a: {value: rewards}}", "rewards"), ("metrics: {a: {title: x}}", "value"),
      ("metrics: {a: {value: reward, direction: up}}", "up"), ("metrics: {reward: {value: revenue}}", "reward"),
      ("metrics: {a b: reward}", "a b"), ("metrics: {a: {value: visits, window: 2d}}", "window"),
      ("metrics: {a: {value: reward, colour: red}}", "colour"), ("metrics: []", "names"), ("3", "metrics"),
      ("metrics: {a: reward, a: revenue}", "twice"), ("experiments: {e: {}}", "metrics"),
      ("metrics: {a: {value: \"reward:cap=5\", cap: 6}}", "keep one"),
      ("metrics: {a: {value: reward, window: 0d}}", "window"),
      ("metrics: {a: {value: reward, covariate: none}}", "covariate"),
      ("metrics: {a: {value: reward, cap: p100}}", "percentile"),
      ("metrics: {a: {value: reward, cap: p0.99}}", "percentile"),
      ("metrics: {a: {valu: reward}}", "did you mean \"value\"?"),
      ("metrics: {a: {value: reward, direction: lower, margin: 5}}", "write 5%"),
      ("metrics: {a: {value: reward, margin: 5pp}}", "percentage points"),
    ])
  func wrong(text: String, word: String) throws {
    let error = #expect(throws: ReportError.self) { try file(text) }
    #expect(error?.description.hasPrefix("m.yaml") == true && error?.description.contains(word) == true)
  }

  @Test("a report notes the window and the cap of a metric, which hold in place of its options")
  func notes() throws {
    let events =
      ComparedUnits.units("a", ["g": [1, 0, 1], "ms": [950, 20, 3]])
      + ComparedUnits.units("b", ["g": [0, 0, 1], "ms": [95, 20, 3]])
    let log = try ComparisonLog(events)
    let table = try ComparisonReport {
      $0.measures = MetricPlan(try ["latency", "early"].map { try file().metric($0) })
      $0.measures.cap = 50
      $0.measures.attribution.window = 3_600_000_000
    }
    .table(of: LogReplay(log.reader, jobs: 1))
    let notes = table.notes.filter { $0.name.contains("cap") || $0.name.contains("window") }
    #expect(notes.map(\.name) == ["cap", "cap_of_latency", "window_of_early"])
    #expect(notes.map(\.value) == [.text("50.0"), .text("900"), .text("1d")])
  }

  @Test("an analysis file is read for the metrics that it has")
  func analysisFile() throws {
    let file = try file("{metrics: {late: {value: conversions, window: none}}, experiments: {e: {metric: late}}}")
    let late = try file.metric("late")
    #expect(late.window == Metric.Window(nil) && late.definition == "conversions:window=none")
    #expect(try Metric(parsing: late.definition).window == Metric.Window(nil))
  }

  @Test("an unknown name lists the nearest one")
  func unknown() throws {
    let file = try file()
    let error = #expect(throws: SpecificationError.self) { try file.metric("latencies") }
    #expect(error?.description.contains("latency") == true)
  }

  @Test("an analysis file names metrics of its own, and reads back")
  func analysis() throws {
    let text = """
      metrics:
        latency: {value: "reward:goal=ms,direction=lower", unit: ms, decimals: 1, margin: 0.05}
      experiments:
        e:
          metric: reward
          guardrails: [{metric: latency, margin: 0.05}]

      """
    let plan = try AnalysisPlan(yaml: text, path: "plan.yaml")
    #expect(plan.entries.first?.guardrails.first?.metric.direction == .lower)
    #expect(try AnalysisPlan(yaml: plan.yaml, path: "plan.yaml") == plan)
    let bare = try AnalysisPlan(
      yaml: "experiments: {e: {guardrails: [latency]}}", path: "plan.yaml", metrics: try file())
    #expect(bare.entries.first?.guardrails.first?.margin == 0.05)
  }

  @Test("windows and caps of metrics are those of a projector with these settings")
  func settings() throws {
    var random = SeededGenerator(seed: 4_711)
    let day = ComparedUnits.day
    let events = (0..<200).flatMap { number -> [Event] in
      let unit = "u\(number)"
      let goals = (0..<random.index(6)).map { _ in
        ComparedUnits.goal(
          day + Int64(random.index(60)) * day / 10, unit, Double(random.index(50)))
      }
      return [ComparedUnits.decision(day, unit, random.chance(0.5) ? "a" : "b")] + goals
    }
    let log = try ComparisonLog(events)
    for (window, cap) in [(day, nil), (3 * day, 40.0), (nil, 25.0)] as [(Int64?, Double?)] {
      var own = Metric(.reward)
      (own.window, own.cap) = (window.map(Metric.Window.init), cap.map(Capping.absolute))
      let names = try LogNames(log.reader, [.goals])
      // Beside others, whose windows and caps do not change.
      let beside = MetricProjector([Metric(.reward), own, Metric(.goals)], names: names)
      var alone = MetricProjector([Metric(.reward)], names: names)
      if let window { alone.attribution = alone.attribution.limited(to: window) }
      alone.cap = cap
      let replay = LogReplay(log.reader, jobs: 2)
      let (all, one) = try (replay.run(UnitSelection(), units: beside), replay.run(UnitSelection(), units: alone))
      let plain = try replay.run(
        UnitSelection(),
        units: MetricProjector([Metric(.reward), Metric(.goals)], names: names))
      for (segment, list) in all.segments {
        #expect(list.metrics[1].moments.sum == one.segments[segment]?.metrics[0].moments.sum)
        #expect(list.metrics[0].moments.sum == plain.segments[segment]?.metrics[0].moments.sum)
        #expect(list.metrics[2].moments.sum == plain.segments[segment]?.metrics[1].moments.sum)
      }
    }
  }

  @Test("a metric is adjusted by its own covariate as by --cuped, beside metrics without one")
  func covariate() throws {
    let log = try Self.paired()
    let file = try file("metrics: {m: {value: reward, covariate: 1d}, w: {value: goals, covariate: 2d}}")
    let (own, plain) = (try file.metric("m"), Metric(.reward))
    #expect(own.definition == "reward:covariate=1d")
    #expect(try Metric(parsing: own.definition).covariate == own.covariate)
    let cuped = ComparisonPlan.Covariate(period: ComparedUnits.day)
    let adjusted = try log.compared([plain]) { $0.covariate = cuped }
    let bare = try log.compared([plain])
    let both = try log.compared([own, plain])
    #expect(both.map { $0.text("method") } == ["welch, cuped 1d, theta pooled", "welch"])
    #expect(adjusted[0].number("difference") != bare[0].number("difference"))
    for column in ["difference", "p_value", "ci_low", "ci_high", "lift"] {
      #expect(both[0].number(column) == adjusted[0].number(column))
      #expect(both[1].number(column) == bare[0].number(column))
    }
    // The option is for all metrics, and a method without covariates takes none.
    let longer = ComparisonPlan.Covariate(period: 2 * ComparedUnits.day)
    #expect(try log.compared([own]) { $0.covariate = longer }[0].text("method") == "welch, cuped 2d, theta pooled")
    #expect(try log.compared([own]) { $0.usesCovariatesOfMetrics = false }[0].text("method") == "welch")
    #expect(try log.compared([own]) { $0.method = .mannWhitney }[0].text("method") == "mann-whitney")
    let other = try file.metric("w")
    let error = #expect(throws: ReportError.self) { try log.compared([own, other]) }
    #expect(error?.description.contains("m covariate=1d and w covariate=2d differ") == true)
    #expect(try log.compared([own, other]) { $0.covariate = longer }.count == 2)
  }

  @Test(
    "a cap at a percentile is that of the sorted values of all units of the experiment, zeros too",
    arguments: ["p50", "p57", "p90", "p99.5"])
  func percentile(cap: String) throws {
    let log = try Self.paired(withoutGoals: 15)
    let metric = try Metric(parsing: "reward:cap=\(cap)")
    #expect(metric.definition == "reward:cap=\(cap)")
    let plain = try log.tallies(["reward"]) { $0.keepsValues = true }.tallies
    let values = plain.segments.values.flatMap { $0.metrics[0].values ?? [] }.sorted()
    let part = try #require(Double(cap.dropFirst())) / 100 * Double(values.count - 1)
    let (low, high) = (values[Int(part)], values[Int(part.rounded(.up))])
    let naive = low + (high - low) * (part - Double(Int(part)))
    let table = try log.compared([metric])
    for segment in plain.segments.values {
      let capped = (segment.metrics[0].values ?? []).map { min($0, naive) }
      let mean = capped.reduce(0, +) / Double(capped.count)
      #expect([table[0].number("mean"), table[0].number("baseline_mean")].contains { abs(($0 ?? -1) - mean) < 1e-9 })
    }
    // A ratio has the cap of its numerator, and what is beside it has none.
    let ratio = try Metric(parsing: "ratio:of=reward,over=goals,cap=\(cap)")
    let rows = try log.compared([Metric(.reward), ratio])
    let bare = try log.compared([Metric(.reward)])
    let one = rows.first { $0.text("metric") == "reward" }
    #expect(one?.number("mean") == bare[0].number("mean"))
    let absolute = try log.compared([try Metric(parsing: "ratio:of=reward,over=goals,cap=\(naive)")])
    let two = try #require(rows.first { $0.text("metric") != "reward" }?.number("mean"))
    #expect(abs(two - (absolute[0].number("mean") ?? -1)) < 1e-9)
  }

  @Test("the window of a metric is that of rewards and of quantiles")
  func windows() throws {
    let given = GivenOptions([("metric", "reward:window=3d")])
    #expect(try given.report(RewardReport.self).attribution.window == 3 * ComparedUnits.day)
    let quantiles = try given.report(QuantileReport.self)
    #expect(quantiles.attribution.window == 3 * ComparedUnits.day)
  }

  @Test("the novelty report refuses a cap at a percentile")
  func percentileRefused() throws {
    let metric = try Metric(parsing: "reward:cap=p99")
    let error = #expect(throws: ReportError.self) { try NoveltyReport { $0.measures.metrics = [metric] } }
    #expect(error?.description.contains("percentile") == true)
  }

  /// Units with a goal before their exposure and one after it, which are alike.
  private static func paired(withoutGoals: Int = 0) throws -> ComparisonLog {
    var random = SeededGenerator(seed: 41)
    let day = ComparedUnits.day
    return try ComparisonLog(
      (0..<120).flatMap { number -> [Event] in
        let (unit, value) = ("u\(number)", Double(random.index(40)))
        guard number >= withoutGoals else {
          return [ComparedUnits.decision(day, unit, random.chance(0.5) ? "a" : "b")]
        }
        return [
          ComparedUnits.goal(day - 1, unit, value),
          ComparedUnits.decision(day, unit, random.chance(0.5) ? "a" : "b"),
          ComparedUnits.goal(day + 1, unit, value + Double(random.index(9))),
        ]
      })
  }

  @Test("changed definitions say which experiments read differently")
  func differences() throws {
    let events =
      ComparedUnits.units("a", ["g": (0..<300).map { 100 + Double($0 % 40) }])
      + ComparedUnits.units("b", ["g": (0..<300).map { 120 + Double($0 % 40) }])
    let log = try ComparisonLog(events)
    let old = try file("metrics: {m: {value: reward, margin: 2%, title: M}, gone: goals, same: reward}")
    let new = try file("metrics: {m: {value: reward, direction: lower, margin: 5%}, added: revenue, same: reward}")
    let table = try MetricDifferences(old, new).table(of: LogReplay(log.reader, jobs: 2))
    let changes = table.named.filter { $0.text("about") == "definition" }
    #expect(
      changes.map { [$0.text("metric"), $0.text("key"), $0.text("old"), $0.text("new")] } == [
        ["added", "value", nil, "revenue"], ["gone", "value", "goals", nil], ["m", "direction", "higher", "lower"],
        ["m", "margin", "2%", "5%"], ["m", "title", "M", nil],
      ])
    #expect(table.rows.count == 6)
    let row = try #require(table.named.last)
    #expect(row.text("verdict_before") == "better" && row.text("verdict") == "worse")
    #expect(
      table.answer == [
        "Changed: added: value none -> revenue; gone: value goals -> none; m: title M -> none, "
          + "direction higher -> lower, margin 2% -> 5%.",
        "Reads differently: e b by m (better -> worse).", "Unchanged: 0 comparisons and 1 metric.",
      ])
    // What people read of a metric can change without what is measured.
    let titled = try MetricDifferences(old, try file("metrics: {m: reward, gone: goals, same: reward}"))
      .table(of: LogReplay(log.reader, jobs: 2))
    #expect(titled.named.map { $0.text("key") } == ["margin", "title"])
    #expect(titled.answer[1] == "Reads differently: nothing.")
    let same = try MetricDifferences(old, old).table(of: LogReplay(log.reader, jobs: 2))
    #expect(same.rows.isEmpty && same.answer == ["Both files define the same metrics."])
  }
}
