import Foundation
import TestSupport
import Testing

@Suite("report regret")
struct ReportRegretTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Decisions of a unit each, red and blue in turn, with a goal for every other red one.
  private func lines(_ numbers: Range<Int>) -> [String] {
    Samples.decisions(numbers)
      + numbers.filter { $0 % 4 == 0 }.map { number in
        #"{"type":"goal","time":"\#(Timestamps.text(seconds: number + 1))","unit":"u\#(number)","#
          + #""experiment":"checkout","goal":"g","value":2}"#
      }
  }

  private static let heading =
    "experiment,t,decisions,reward_sum,best_variant,regret,regret_per_decision,point,slot,"
    + "ci_low,ci_high,status"

  @Test("prints how regret grew, after 1, 2, 5, ... decisions and after all")
  func curve() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<12).text))
    let result = try Command.run("report regret \(log) --format csv")
    expectDone(result)
    // Without the interval, which has tests of its own.
    let lines = result.lines.map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return line.hasPrefix("experiment")
        ? line : (cells[..<9] + ["", ""] + cells[11...]).joined(separator: ",")
    }
    #expect(
      lines == [
        Self.heading, "checkout,1,1,2,red,0,0,point-1,decision-1,,,ok",
        "checkout,2,2,2,red,1,0.5,point-1,decision-1,,,ok",
        "checkout,5,5,4,red,2,0.4,point-1,decision-1,,,ok",
        "checkout,10,10,6,red,5,0.5,point-1,decision-1,,,ok",
        "checkout,12,12,6,red,6,0.5,point-1,decision-1,,,ok",
      ])
    #expect(result.messages == "")
  }

  @Test("late events and the number of threads change nothing")
  func stable() throws {
    let lines = lines(0..<200)
    expectDone(try Command.run("append \(log)", input: lines.text))
    let other = folder.path("other")
    for part in [lines[150...], lines[..<70], lines[70..<150]] {
      expectDone(try Command.run("append \(other)", input: part.text))
    }
    let report = try Command.run("report regret \(log) --format csv --jobs 1")
    expectDone(report)
    #expect(report.lines.count == 9)
    let last = try #require(report.lines.last).split(
      separator: ",", omittingEmptySubsequences: false)
    let ends = try [last[9], last[10]].map { try #require(Double($0)) }
    #expect(ends[0] < 100 && 100 < ends[1])
    for options in ["--jobs 2", "--jobs 7", "--jobs 64", "--jobs 2 --memory 1M"] {
      #expect(
        try Command.run("report regret \(other) --format csv \(options)").output == report.output)
    }
    let wide = try Command.run("report regret \(log) --format json --alpha 0.5").text
    #expect(wide.contains("50 %, by Student's t where propensities never changed"))
  }

  @Test("says which variants regret comes from, and weighs by propensity where that is asked for")
  func variants() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<8).text))
    let result = try Command.run("report regret \(log) --decompose --means snips --format csv")
    expectDone(result)
    #expect(
      result.lines == [
        "experiment,point,slot,variant,decisions,reward_mean,gap,regret,regret_share,status",
        "checkout,point-1,decision-1,blue,4,0,1,4,1,ok",
        "checkout,point-1,decision-1,red,4,1,0,0,0,ok",
      ])
    let bare = lines(8..<10).map { $0.replacingOccurrences(of: #","propensity":0.5"#, with: "") }
    expectDone(try Command.run("append \(log)", input: bare.text))
    let json = try Command.run("report regret \(log) --means ips --format json").text
    #expect(
      json.contains(#""decisions_without_propensity":2"#)
        || json.contains(#""decisions_without_propensity": 2"#))
  }

  @Test("without any propensity there is no weighted regret, and a status says so")
  func withoutPropensity() throws {
    let bare = lines(0..<2).map { $0.replacingOccurrences(of: #","propensity":0.5"#, with: "") }
    expectDone(try Command.run("append \(log)", input: bare.text))
    let result = try Command.run("report regret \(log) --means ips --format csv")
    expectDone(result)
    #expect(result.lines.last == "checkout,2,2,2,,,,point-1,decision-1,,,no_propensity")
  }

  @Test("looks at what is asked for, and breaks down")
  func selection() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<12).text))
    let until = Timestamps.text(seconds: 5)
    let some = try Command.run("report regret \(log) --until \(until) --format csv")
    #expect(some.lines.last?.hasPrefix("checkout,5,5,") == true)
    let days = try Command.run("report regret \(log) --by day --format csv")
    #expect(days.lines.first == Self.heading + ",dimension,dimension_value")
    #expect(days.lines.last?.hasSuffix(",ok,day,2026-01-01") == true)
  }

  @Test("wrong flags are mistakes of usage; a log or experiment that is not there is said so")
  func mistakes() throws {
    for (flags, part) in [
      ("--means exact", "snips"), ("--alpha 1", "--alpha"),
      ("--attribution best", "linear"),
    ] {
      expectFailure(try Command.run("report regret \(log) \(flags)"), 64, says: part)
    }
    expectFailure(try Command.run("report regret \(log)"), 66, says: log)
    expectDone(try Command.run("append \(log)", input: lines(0..<2).text))
    expectFailure(
      try Command.run("report regret \(log) --experiment nothing"), 65, says: "nothing")
    let explained = try Command.run("explain regret")
    expectDone(explained)
    #expect(explained.text.contains("pseudo-regret"))
  }
}
