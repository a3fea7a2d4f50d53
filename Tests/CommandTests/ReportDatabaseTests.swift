import Foundation
import TestSupport
import Testing

@Suite("Reports from a database")
struct ReportDatabaseTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var model: String { folder.path("model.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Every report that a database answers, with options of its own.
  private static let reports = [
    "rewards --format csv", "rewards --per unit --attribution first --window 1h",
    "rewards --end 2026-01-02T03:30:00Z --without-in-progress --window 10min --limit 1",
    "rewards --attribution linear --once --minimum 0.05 --experiment e0 --experiment e1",
    "conversions --format csv", "conversions --of goals --maximum 0.3 --experiment e0 --jobs 1",
    "conversions --cap-percentile 0.9 --crossing first --window none", "compare --format csv",
    "compare --metric revenue --metric converted:goal=c --window 1d --cuped 20min --correction holm",
    "compare --metric ratio:of=revenue,over=conversions --crossing first --lift-method fieller",
    "compare --method bootstrap --replicates 20 --metric visits --cap 2",
    "quantiles --metric conversion-delay --metric goal-value --at 0.3", "quantiles --goal c",
    "series --format csv", "series --every hour --cohorts --window 30min", "visits --format csv",
    "visits --inactivity 2min --crossing first", "funnel --steps g,c --format csv",
    "funnel --steps c,g --window 1h --any-order --crossing first", "retention --format csv",
    "retention --days 0,1 --on goals --window-days 2 --experiment e1", "power --format csv",
    "power --metric converted --lift 0.1 --baseline v1 --crossing first",
    "regret --means snips --attribution all", "regret --decompose --means ips",
    "regret --experiment e1 --format csv", "health --format csv",
    "health --expect v0=2,v1=1 --before 10min --bot-events 3 --experiment e1",
  ]

  /// Decisions, goals, conversions and data points of two experiments, some of them late.
  private func line(_ number: Int) -> String {
    let minute = (number % 13 == 5 ? number / 2 : number) / 4 % 60
    let hour = 3 + number / 240
    let time = String(format: "2026-01-%02dT%02d:%02d:00Z", 2 + number / 400, hour, minute)
    let start = #""time":"\#(time)","unit":"u\#(number * 7 % 61)""#
    let experiment = #""experiment":"e\#(number % 7 % 2)""#
    switch number % 10 {
    case 7:
      return
        #"{"type":"conversion",\#(start),"goal":"c","revenue":2.\#(number),"negative":\#(number % 4 == 1)}"#
    case 2: return #"{"type":"dataPoint",\#(start),"kind":"custom","key":"k"}"#
    case 3, 6, 9:
      return #"{"type":"goal",\#(start),\#(experiment),"goal":"g","value":0.\#(number)}"#
    case 5:
      return
        #"{"type":"decision",\#(start),\#(experiment),"variant":"v0","status":"provisional"}"#
    case 8: return #"{"type":"decisionConfirmed",\#(start),\#(experiment)}"#
    default:
      let variant = number * 7 % 61 % 2
      return
        #"{"type":"decision",\#(start),\#(experiment),"variant":"v\#(variant)","choices":["v0","v1"],"propensity":0.5,"probabilities":[0.5,0.5]}"#
    }
  }

  private func append(_ numbers: Range<Int>) throws {
    expectDone(try Command.run("append \(log)", input: numbers.map(line).text))
    expectDone(try Command.run("replay \(log) --into \(model)"))
  }

  private func expectSameReports() throws {
    for report in Self.reports {
      let words = report.split(separator: " ", maxSplits: 1)
      let options = words.count > 1 ? words[1] : ""
      let ofLog = try Command.run("report \(words[0]) \(log) \(options)")
      let ofModel = try Command.run("report \(words[0]) \(model) \(options)")
      expectDone(ofLog)
      expectDone(ofModel)
      #expect(ofModel.output == ofLog.output && ofLog.lines.count > 2, "\(report)")
    }
  }

  @Test("do not count events that share an id, and say so if there are ids")
  func ids() throws {
    let events = (0..<2).map {
      #"{"type":"conversion","id":"x","time":\#($0),"unit":"u","goal":"c","revenue":\#($0)}"#
    }
    for (line, isSaid) in [(self.line(7), false), (events[0], true), (events[1], true)] {
      expectDone(try Command.run("append \(log) --allow-duplicates", input: line + "\n"))
      expectDone(try Command.run("replay \(log) --into \(model)"))
      let ofModel = try Command.run("report health \(model) --format csv")
      expectDone(ofModel)
      #expect(ofModel.messages.contains("note: shared_ids is not counted here") == isSaid)
      #expect(!ofModel.text.contains("shared_ids"))
    }
    let ofLog = try Command.run("report health \(log) --format csv")
    #expect(ofLog.text.contains("\nshared_ids,") && !ofLog.messages.contains("shared_ids"))
  }

  @Test("are those of its log, byte for byte, with any options, and after more and late events")
  func same() throws {
    try append(0..<400)
    try append(400..<409)
    try append(409..<520)
    try expectSameReports()
  }

  @Test(
    "what only the log can answer is refused by the name of the option",
    arguments: [
      "rewards --since 2026-01-01T00:00:00Z", "compare --until 2027-01-01T00:00:00Z",
      "series --without-reason forced", "health --by day", "compare --post-stratify day",
    ])
  func refused(report: String) throws {
    try append(0..<20)
    let words = report.split(separator: " ", maxSplits: 1)
    let name = String(words[1].prefix { $0 != " " })
    expectFailure(
      try Command.run("report \(words[0]) \(model) \(words[1])"), 64, says: name, model,
      "give the log itself")
  }

  @Test("report adaptive needs the log, and says why; names that a database lacks are data errors")
  func others() throws {
    try append(0..<30)
    expectFailure(
      try Command.run("report adaptive \(model)"), 64, says: "the probabilities of choices",
      "give the log itself")
    expectFailure(
      try Command.run("report rewards \(model) --experiment x"), 65, says: "no experiment \"x\"",
      model)
    expectFailure(
      try Command.run("report compare \(model) --metric goals:goal=x"), 65, says: "no goal \"x\"")
    expectFailure(
      try Command.run("report health \(model) --fail-on any --bot-events x"), 64, says: "bot-events"
    )
  }

  @Test("a damaged database is reported, with how to fix it")
  func damaged() throws {
    try append(0..<400)
    // Some byte of each of its small parts, behind the page by which SQLite knows its own.
    var changed = 0
    try Files.change(model) { bytes in
      for index in stride(from: 20_000, to: bytes.count, by: 1_000) {
        bytes[index] ^= 0x55
        changed += 1
      }
    }
    #expect(changed > 10)
    for report in ["visits", "regret", "health"] {
      expectFailure(
        try Command.run("report \(report) \(model)"), 65, says: model, "bandolier replay")
    }
  }
}
