import Plots
import Statistics
import Tables
import Testing

@testable import Reports

@Suite("Effects in segments on one axis")
struct SegmentEffectsTests {
  private struct Row {
    var segment: String?
    var difference: Double? = 0.1
    var error: Double? = 0.02
    var units = 400
    var variant = "b"
    var verdict = "no difference found"
  }

  /// Rows of `compare`: of segments, or of the whole for nil; intervals are two errors wide on either side.
  private func table(_ rows: [Row]) throws -> Table {
    var table = try Table(
      name: "compare", title: "",
      columns: [
        .key("experiment", .text, "an experiment"), .key("metric", .text, "a metric"),
        .key("variant", .text, "a variant"), .key("baseline", .text, "a baseline"),
        .key("dimension", .text, "a dimension"), .key("dimension_value", .text, "its value"),
        .measure("verdict", .text, "a verdict"), .measure("units", .integer, "units"),
        .measure("baseline_units", .integer, "units"), .measure("difference", .decimal, "a difference"),
        .measure("standard_error", .decimal, "its error"), .measure("ci_low", .decimal, "an end"),
        .measure("ci_high", .decimal, "an end"), .measure("lift", .decimal, "a lift"),
      ])
    for row in rows {
      let half = row.error.map { 2 * $0 }
      let end = { (sign: Double) in row.difference.flatMap { mean in half.map { mean + sign * $0 } } }
      try table.append(row: [
        .text("e"), .text("m"), .text(row.variant), .text("a"), row.segment == nil ? .empty : .text("context.device"),
        row.segment.map { $0.isEmpty ? .empty : .text($0) } ?? .empty, .text(row.verdict),
        .integer(row.units / 2), .integer(row.units - row.units / 2), TableCell(row.difference),
        TableCell(row.error), TableCell(end(-1)), TableCell(end(1)), TableCell(row.difference),
      ])
    }
    return table
  }

  private func effects(_ rows: [Row]) throws -> SegmentEffects {
    try #require(SegmentEffects.all(of: try table(rows)).first)
  }

  @Test("segments of fewer than 100 units are one, whose effect is weighted by units; one alone stays as it is")
  func small() throws {
    let rows = [
      Row(segment: "phone"), Row(segment: "tablet", difference: 0.3),
      Row(segment: "tv", difference: 0.2, error: 0.1, units: 90),
      Row(segment: "", difference: 0.5, error: 0.2, units: 30),
    ]
    let all = try effects(rows)
    #expect(all.effects.map(\.name) == ["phone", "tablet", "other, 2 segments"])
    #expect(all.others == ["tv", "unknown"] && all.unknown.isEmpty && all.test?.count == 3)
    let other = try #require(all.effects.last)
    let error = (0.75 * 0.1 * 0.75 * 0.1 + 0.25 * 0.2 * 0.25 * 0.2).squareRoot()
    #expect(other.units == 120 && abs(other.estimate - 0.275) < 1e-12)
    #expect(abs(try #require(other.standardError) - error) < 1e-12)
    #expect(abs(try #require(other.low) - (0.275 - 2 * error)) < 1e-12)
    #expect(abs(try #require(other.high) - (0.275 + 2 * error)) < 1e-12)
    let overall = (400 * 0.1 + 400 * 0.3 + 90 * 0.2 + 30 * 0.5) / 920
    #expect(abs(try #require(all.overall?.estimate) - overall) < 1e-12)
    #expect(try effects(Array(rows.dropLast())).effects.map(\.name) == ["phone", "tablet", "tv"])
  }

  @Test("of many segments the 20 largest have a row of their own")
  func many() throws {
    let all = try effects((1...30).map { Row(segment: "s\($0)", units: 100 * $0) })
    #expect(all.effects.map(\.name) == (11...30).map { "s\($0)" } + ["other, 10 segments"])
    #expect(all.others == (1...10).map { "s\($0)" } && all.test?.count == 21)
  }

  @Test("segments that are not valid are drawn and not tested, those without an effect are named")
  func excluded() throws {
    let all = try effects([
      Row(segment: "phone"), Row(segment: "tablet"), Row(segment: "tv", difference: 9, verdict: "not valid"),
      Row(segment: "watch", difference: nil, error: nil, verdict: "not compared"),
    ])
    #expect(all.effects.map(\.isValid) == [true, true, false] && all.test?.count == 2)
    #expect(abs(try #require(all.overall?.estimate) - 0.1) < 1e-12 && all.unknown == ["watch"])
  }

  @Test("the plot has a panel for each comparison, whose test and number of tests come first")
  func figure() throws {
    let rows = ["b", "c"].flatMap { variant in
      [
        Row(segment: "phone", variant: variant), Row(segment: "tablet", difference: 0.2, variant: variant),
        Row(segment: "tv", units: 20, variant: variant), Row(segment: "watch", units: 20, variant: variant),
      ]
    }
    let figures = ComparisonReport.figures(of: try table(rows))
    #expect(figures.map(\.name) == ["compare_segments"])
    let content = try #require(figures.first.flatMap { SVGContent($0.svg) })
    for variant in ["b", "c"] { #expect(content.says("e · m · \(variant) against a · by context.device")) }
    #expect(content.texts.count { $0.hasPrefix("heterogeneity over 3 segments: p = ") } == 2)
    #expect(content.texts.contains { $0.contains("of 2 tests p = ") && $0.contains("other: tv and watch") })
    #expect(content.says("other, 2 segments") && content.count("circle") == 6)
    let whole = ComparisonReport.figures(of: try table(rows + [Row(variant: "b")]))
    #expect(whole.map(\.name) == ["compare", "compare_segments"])
    let lifts = try #require(whole.first.flatMap { SVGContent($0.svg) })
    #expect(lifts.count("circle") == 1 && !lifts.says("phone"))
  }

  @Test("where all segments are small the answer says that nothing was tested")
  func tooSmall() throws {
    let rows = ["phone", "tablet", "tv"].map { Row(segment: $0, units: 60) }
    let answer = SegmentAnswer(try table(rows), level: 0.95).sentences
    #expect(
      answer == ["Whether effects differ between values of context.device was not tested: too few have units enough."])
    #expect(SegmentAnswer(try table([Row()]), level: 0.95).sentences.isEmpty)
  }
}
