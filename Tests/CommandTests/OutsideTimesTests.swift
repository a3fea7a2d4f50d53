import TestSupport
import Testing

@Suite("Times and logs that hold nothing")
struct OutsideTimesTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<20).text))
  }

  private static let reports = [
    "rewards", "conversions", "compare", "quantiles", "regret", "adaptive", "health", "series",
    "visits", "funnel --steps order", "retention", "power", "predictions",
    "predictions --over decisions",
  ]

  private func words(_ report: String, _ rest: String, of log: String) -> String {
    var words = report.split(separator: " ").map(String.init)
    words.insert(log, at: 1)
    // The samples have no goal.
    if words[0] == "funnel" {
      words = words.filter { $0 != "--steps" && $0 != "order" } + ["--steps", "g"]
    }
    return "report \(words.joined(separator: " ")) \(rest)"
  }

  @Test(
    "a range without events ends in an empty report and the range that the log covers",
    arguments: reports)
  func outside(report: String) throws {
    let goal =
      #"{"type":"goal","time":"2026-01-01T00:00:01Z","unit":"u1","experiment":"checkout","goal":"g"}"#
    expectDone(try Command.run("append \(log)", input: goal + "\n"))
    let covered = "has events from 2026-01-01T00:00:00Z to 2026-01-01T00:00:19Z"
    for (option, side) in [
      ("--since 2027-01-01T00:00:00Z", "after the last event"),
      ("--until 2026-01-01T00:00:00Z", "not after the first event"),
    ] {
      let result = try Command.run(words(report, "\(option) --format csv", of: log))
      expectDone(result)
      #expect(result.messages.contains(side), "\(result.messages)")
      #expect(result.messages.contains(covered), "\(result.messages)")
      #expect(result.messages.split(separator: "\n").count == 1, "\(result.messages)")
      #expect(result.lines.count >= 1)
    }
  }

  @Test("a range that ends before it begins is a mistake of usage", arguments: reports)
  func backwards(report: String) throws {
    let times = "--since 2026-01-02T00:00:00Z --until 2026-01-02T00:00:00Z"
    expectFailure(
      try Command.run(words(report, times, of: log)), 64, says: "not later than --since")
  }

  @Test("an empty log has empty reports, with a note", arguments: reports)
  func empty(report: String) throws {
    let empty = folder.path("empty")
    expectDone(try Command.run("append \(empty)"))
    let names = report == "predictions" ? "" : "--experiment any"
    for rest in ["", names] {
      let result = try Command.run(words(report, "\(rest) --format csv", of: empty))
      expectDone(result)
      #expect(result.messages.contains("note: \(empty) has no events"), "\(result.messages)")
    }
  }

  @Test("log cat: times, positions and an empty log")
  func cat() throws {
    for (option, said) in [
      ("--since 2027-01-01T00:00:00Z", "after the last event"),
      ("--until 2025-01-01T00:00:00Z", "not after the first event"),
      ("--from 20", "has 20 events, so none is at position 20 or later"),
    ] {
      let result = try Command.run("log cat \(log) \(option)")
      expectDone(result)
      #expect(result.text == "")
      #expect(result.messages.contains(said), "\(result.messages)")
    }
    let empty = folder.path("empty")
    expectDone(try Command.run("append \(empty)"))
    let result = try Command.run("log cat \(empty) --unit nobody")
    expectDone(result)
    #expect(result.messages.contains("has no events"), "\(result.messages)")
    expectFailure(
      try Command.run(
        "log cat \(log) --since 2026-01-02T00:00:00Z --until 2026-01-01T00:00:00Z"), 64,
      says: "not later than --since")
    #expect(try Command.run("log cat \(log)").messages == "", "nothing is said without need")
  }

  @Test("an end before the first event is noted", arguments: ["rewards", "compare", "retention"])
  func end(report: String) throws {
    let result = try Command.run("report \(report) \(log) --end 2020-01-01T00:00:00Z --format csv")
    expectDone(result)
    #expect(result.messages.contains("--end 2020-01-01T00:00:00Z is before the first event"))
  }

  @Test("erasing before the first event is noted")
  func erase() throws {
    let result = try Command.run("log erase \(log) --before 2020-01-01T00:00:00Z --dry-run")
    expectDone(result)
    #expect(result.messages.contains("not after the first event"), "\(result.messages)")
  }

  @Test("reports that have something to say, say nothing else")
  func silent() throws {
    for report in ["rewards", "compare", "health", "series", "visits", "retention"] {
      let result = try Command.run("report \(report) \(log) --experiment checkout --format csv")
      expectDone(result)
      #expect(result.messages == "", "\(report)")
    }
  }
}
