import Plots
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Figures of reports")
struct ReportFiguresTests {
  /// Two experiments with three variants each, on three days, with a goal after every other decision.
  private static func log() throws -> SmallLog {
    var lines: [String] = []
    for index in 0..<360 {
      let day = index / 120 + 1
      let time = "2026-01-0\(day)T\(10 + index % 10):0\(index % 6):00Z"
      let experiment = index % 2 == 0 ? "exp-10" : "exp-2 <b>"
      let variant = ["v10", "v2", "<script>alert(1)</script>", "<script>alert(1)</script>"][index / 2 % 4]
      let share = index / 2 % 4 >= 2 ? 0.5 : 0.25
      lines.append(
        #"{"type":"decision","time":"\#(time)","unit":"u\#(index)","experiment":"\#(experiment)","#
          + #""variant":"\#(variant)","choices":["v10","v2","<script>alert(1)</script>"],"#
          + #""propensity":\#(share),"probabilities":[0.25,0.25,0.5]}"#)
      guard index % 3 < 2 || index % 7 == 0 else { continue }
      let later = "2026-01-0\(day)T\(10 + index % 10):30:00Z"
      lines.append(
        #"{"type":"goal","time":"\#(later)","unit":"u\#(index)","experiment":"\#(experiment)","#
          + #""goal":"signup","value":1}"#)
      lines.append(
        #"{"type":"conversion","time":"\#(later)","unit":"u\#(index)","goal":"order","revenue":2}"#)
    }
    return try SmallLog(lines)
  }

  private static func reports() throws -> [any Report] {
    try [
      RewardReport(), ComparisonReport(), ConversionReport(), QuantileReport(), RegretReport(),
      AdaptiveReport(), HealthReport(), SeriesReport(), VisitReport(),
      FunnelReport { $0.steps = ["signup", "order"] }, RetentionReport(), NoveltyReport(),
    ]
  }

  private func figures() throws -> [(report: any Report, table: Table, figures: [Figure])] {
    let log = try Self.log()
    return try Self.reports().map { report in
      let table = try report.table(of: log.reader)
      return (report: report, table: table, figures: type(of: report).figures(of: table))
    }
  }

  @Test("the catalog has these reports, and four without figures or with tests of their own")
  func complete() throws {
    let elsewhere = ["decisions", "power", "predictions", "evaluate"]
    #expect(
      Set(try Self.reports().map { type(of: $0).name } + elsewhere)
        == Set(ReportCatalog.standard.all.map { $0.name }))
  }

  @Test("every report of variants has figures with its names, which can be any text")
  func variants() throws {
    for (_, table, figures) in try figures() {
      #expect(!figures.isEmpty, "\(table.name)")
      for figure in figures {
        let content = try #require(SVGContent(figure.svg), "\(figure.name)")
        #expect(!content.isBroken && content.count("script") == 0, "\(figure.name)")
        #expect(
          content.texts.contains { $0.contains("exp-10") || $0.contains("exp-2 <b>") },
          "\(figure.name)")
        // The regret of a log has no variants.
        guard table.name != "regret" else { continue }
        let drawn = content.texts.contains { $0.contains("<script>alert(1)</script>") }
        #expect(drawn, "\(figure.name)")
      }
    }
  }

  @Test(
    "names of figures and titles differ within a report, and the same table gives the same bytes")
  func same() throws {
    let (first, second) = (try figures(), try figures())
    for (a, b) in zip(first, second) {
      #expect(a.figures == b.figures)
      #expect(Set(a.figures.map(\.name)).count == a.figures.count)
      #expect(Set(a.figures.map(\.title)).count == a.figures.count)
    }
  }

  @Test("experiments and variants are in natural order")
  func order() throws {
    let rewards = try #require(try figures().first { $0.table.name == "rewards" })
    let content = try #require(rewards.figures.first.flatMap { SVGContent($0.svg) })
    let names = content.texts.filter { ["exp-2 <b>", "exp-10", "v2", "v10"].contains($0) }
    #expect(names == ["exp-2 <b>", "v2", "v10", "exp-10", "v2", "v10"])
  }

  @Test("a table of one experiment gives the figures of that experiment")
  func oneExperiment() throws {
    let log = try Self.log()
    let whole = try RewardReport().table(of: log.reader)
    var part = try Table(name: whole.name, title: whole.title, columns: whole.columns)
    for row in whole.rows where row[0] == .text("exp-10") { try part.append(row: Array(row)) }
    let figure = try #require(RewardReport.figures(of: part).first)
    let content = try #require(SVGContent(figure.svg))
    #expect(content.says("exp-10") && !content.says("exp-2 <b>") && content.count("circle") == 3)
  }

  @Test("a variant has the colour of its name, the same in every figure of its experiment")
  func colors() throws {
    let columns: [TableColumn] = [
      .key("experiment", .text, "an experiment"), .key("variant", .text, "a variant"),
      .measure("decisions", .integer, "a count"), .measure("reward_mean", .decimal, "a mean"),
    ]
    var tables: [Table] = []
    for names in [["a", "b", "green"], ["b", "c", "green"]] {
      var table = try Table(name: "rewards", title: "", columns: columns)
      for name in names {
        try table.append(row: [.text("e"), .text(name), .integer(9), .decimal(0.5)])
      }
      tables.append(table)
    }
    let classes = tables.map { table in
      let svg = RewardReport.figures(of: table, among: tables)[0].svg
      return svg.matches(of: /<g class="bp-s(\d)">/).map { String($0.output.1) }
    }
    // In the order of names: b is the second of four in both, and only green is green.
    #expect(classes == [["0", "1", "2"], ["1", "3", "2"]])
  }

  @Test("a table that is not plotted has no figures, and one without rows says so")
  func nothing() throws {
    let other = try Table(
      name: "explanation", title: "", columns: [.key("text", .text, "a text")])
    #expect(DecisionReport.figures(of: other).isEmpty)
    for (report, table, _) in try figures() where table.name != "health" {
      let empty = try Table(name: table.name, title: table.title, columns: table.columns)
      for figure in type(of: report).figures(of: empty) {
        let content = try #require(SVGContent(figure.svg))
        #expect(content.says("the table has no rows"), "\(figure.name)")
      }
    }
  }

  @Test("the confidence sequence is wider than the interval of the table, at every time")
  func sequence() throws {
    let log = try Self.log()
    let table = try SeriesReport().table(of: log.reader)
    let figure = try #require(
      SeriesReport.figures(of: table).first { $0.name == "series_cumulative" })
    #expect(figure.description.contains("95 % confidence sequence"))
    let content = try #require(SVGContent(figure.svg))
    // Sixty decisions of a variant are too few for an asymptotic sequence.
    #expect(content.count("circle") == 18 && !figure.svg.contains("data-low"))
  }
}
