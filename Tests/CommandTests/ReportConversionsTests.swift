import Foundation
import TestSupport
import Testing

@Suite("report conversions")
struct ReportConversionsTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
    let decision = #"{"type":"decision","time":"2026-01-01T00:00:00Z","experiment":"e","#
    let lines = [
      decision + #""unit":"u","variant":"a"}"#, decision + #""unit":"v","variant":"b"}"#,
      decision + #""unit":"x","variant":"b"}"#, decision + #""unit":"x","variant":"a"}"#,
      #"{"type":"conversion","time":"2026-01-08T00:00:00Z","unit":"u","goal":"buy","revenue":30}"#,
      #"{"type":"conversion","time":"2026-01-08T00:00:01Z","unit":"v","goal":"buy","revenue":5}"#,
      #"{"type":"goal","time":"2026-03-01T00:00:00Z","unit":"v","experiment":"e","goal":"g"}"#,
    ]
    expectDone(try Command.run("append \(log)", input: lines.text))
  }

  private func cells(_ options: String, _ count: Int = 7) throws -> [[String]] {
    let result = try Command.run("report conversions \(log) \(options)")
    expectDone(result)
    return result.lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).prefix(count).map(String.init)
    }
  }

  @Test("counts conversions within 7 days of the first exposure, or as the options say")
  func options() throws {
    #expect(
      try cells("") == [
        ["e", "a", "buy", "1", "1", "1", "30"], ["e", "b", "buy", "1", "0", "0", "0"],
      ])
    #expect(try cells("--window none").map { $0[6] } == ["30", "5"])
    #expect(try cells("--window 12h").map { $0[6] } == ["0", "0"])
    #expect(try cells("--window none --crossing first").map { $0[3] } == ["1", "2"])
    #expect(try cells("--cap 10").map { $0[6] } == ["10", "0"])
    #expect(
      try cells("--cap-percentile 0.5 --cap-ignoring-zeros --window none").map { $0[6] } == [
        "17.5", "5",
      ])
    #expect(
      try cells("--of goals") == [
        ["e", "a", "g", "1", "0", "0", "0"], ["e", "b", "g", "1", "1", "1", "1"],
      ])
    #expect(try cells("--of goals --window 7d").map { $0[6] } == ["0", "0"])
    #expect(
      try cells("--end 2026-01-02T00:00:00Z --without-in-progress").map { $0[3] } == ["0", "0"])
  }

  @Test("notes say what did not count")
  func notes() throws {
    let result = try Command.run("report conversions \(log) --format json --alpha 0.1")
    expectDone(result)
    for part in [
      #""attribution":"first, window 7d""#, #""rate_interval":"Wilson, 90 %""#,
      #""assignments_crossed":1"#, #""conversions_outside_window":1"#,
    ] {
      #expect(result.text.replacing(": ", with: ":").contains(part), "\(part)")
    }
  }

  @Test("mistakes of usage are named, and what the log does not have")
  func mistakes() throws {
    for (options, part) in [
      ("--of clicks", "conversions"), ("--crossing keep", "first"), ("--alpha 0", "--alpha"),
      ("--alpha 1e-17", "--alpha"),
      ("--cap 0", "--cap"), ("--cap nan", "--cap"), ("--cap-percentile 1", "--cap-percentile"),
      ("--cap 5 --cap-percentile 0.9", "leave one out"),
      ("--cap-ignoring-zeros", "--cap-percentile"),
      ("--window week", "--window"), ("--without-in-progress", "--end"),
    ] {
      expectFailure(try Command.run("report conversions \(log) \(options)"), 64, says: part)
    }
    expectFailure(
      try Command.run("report conversions \(log) --experiment none"), 65, says: "none")
    expectFailure(try Command.run("report conversions \(folder.path("no"))"), 66, says: "no")
  }

  /// Writes a file of named metrics, and returns the options that ask for one of them.
  private func naming(_ name: String) throws -> String {
    let path = folder.path("metrics.yaml")
    try """
    metrics:
      spend: {value: "revenue:goal=buy", title: spend, window: none, cap: 20, unit: €, decimals: 2}
      returns: {value: "revenue:goal=buy", direction: lower, window: none}
      answers: "goals:goal=g"
      loads: visits
    """.write(toFile: path, atomically: true, encoding: .utf8)
    return "--metrics \(path) --metric \(name)"
  }

  @Test("a named metric has its goal, window and cap, and its direction and unit in the answer")
  func named() throws {
    #expect(try cells(naming("spend")).map { $0[6] } == ["20", "5"])
    #expect(try cells(naming("spend") + " --cap 10 --window 7d").map { $0[6] } == ["10", "0"])
    #expect(try cells(naming("answers")).map { [$0[2], $0[4]] } == [["g", "0"], ["g", "1"]])
    let answer = { (name: String) in
      text(try Command.run("report conversions \(log) \(naming(name)) --format json").output)
    }
    #expect(try answer("spend").contains("a has the highest spend, 20.00 €"))
    #expect(try answer("returns").contains("b has the lowest returns"))
    #expect(try answer("returns").contains(#""direction":"lower""#))
    for (options, part) in [
      (try naming("loads"), "does not count"), (try naming("spend") + " --of goals", "counts conversions"),
      (try naming("speed"), "spend"),
      (try naming("spend").replacing(" --metric spend", with: ""), "--metrics is not used: none of its metrics (spend"),
    ] {
      expectFailure(try Command.run("report conversions \(log) \(options)"), 64, says: part)
    }
    expectFailure(try Command.run("report conversions \(log) --metric goals:goal=h"), 65, says: "h")
  }

  @Test("quantiles of a named metric have its goal and window")
  func namedQuantiles() throws {
    let result = try Command.run("report quantiles \(log) \(naming("returns")) --at 1")
    expectDone(result)
    let starts = ["e,a,returns,1,1,30", "e,b,returns,1,1,5"]
    #expect(zip(starts, result.lines.dropFirst()).allSatisfy { $1.hasPrefix($0) } && result.lines.count == 3)
    let mistakes = [
      (try naming("spend"), "cap"), (try naming("answers"), "no quantiles"),
      (try naming("returns") + " --metric reward", "alone"), (try naming("returns") + " --goal g", "leave it out"),
    ]
    for (options, part) in mistakes {
      expectFailure(try Command.run("report quantiles \(log) \(options)"), 64, says: part)
    }
  }

  @Test("quantiles are of the same units")
  func quantiles() throws {
    let result = try Command.run(
      "report quantiles \(log) --metric reward --metric revenue --metric conversion-delay --at 0.5,1 --window none"
    )
    expectDone(result)
    let rows = result.lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).prefix(6).map(String.init)
    }
    #expect(
      rows.filter { $0[3] == "0.5" } == [
        ["e", "a", "conversion-delay", "0.5", "1", "604800"],
        ["e", "a", "revenue", "0.5", "1", "30"], ["e", "a", "reward", "0.5", "1", "0"],
        ["e", "b", "conversion-delay", "0.5", "1", "604801"],
        ["e", "b", "revenue", "0.5", "1", "5"], ["e", "b", "reward", "0.5", "1", "1"],
      ])
    #expect(rows.count == 12)
    let other = try Command.run(
      "report quantiles \(log) --goal buy --type 1 --ignoring-zeros --at 0.9")
    #expect(other.lines.count == 3)
    #expect(other.lines[1].hasPrefix("e,a,revenue,0.9,1,30,,,1,1,0"))
  }

  @Test("quantiles name mistakes of usage, and goals that the log does not have")
  func quantileMistakes() throws {
    for (options, part) in [
      ("--at 0.5,2", "--at"), ("--at 0.5,", "--at"), ("--type 10", "--type"),
      ("--metric clicks", "--metric"), ("--alpha 1", "--alpha"),
    ] {
      expectFailure(try Command.run("report quantiles \(log) \(options)"), 64, says: part)
    }
    expectFailure(
      try Command.run("report quantiles \(log) --goal sell"), 65, says: "no goal \"sell\"")
  }

  @Test("explain says how both are computed", arguments: ["conversions", "quantiles"])
  func explained(report: String) throws {
    let result = try Command.run("explain \(report)")
    expectDone(result)
    #expect(result.text.contains("definition"))
  }
}
