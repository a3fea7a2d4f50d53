import TestSupport
import Testing

/// The verbs that follow units through time.
@Suite("report series, visits, funnel and retention")
struct ReportSeriesTests {
  private static let verbs = ["series", "visits", "funnel --steps view,buy", "retention"]

  private let folder: TemporaryFolder
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    log = folder.path("log")
  }

  private func append(_ lines: [String]) throws {
    expectDone(try Command.run("append \(log)", input: lines.text))
  }

  private func decision(_ second: Int, _ unit: String, _ variant: String) -> String {
    #"{"type":"decision","time":"\#(Timestamps.text(seconds: second))","unit":"\#(unit)","#
      + #""experiment":"e","variant":"\#(variant)","propensity":0.5,"policy":"uniform"}"#
  }

  private func goal(_ second: Int, _ unit: String, _ goal: String) -> String {
    #"{"type":"goal","time":"\#(Timestamps.text(seconds: second))","unit":"\#(unit)","#
      + #""experiment":"e","goal":"\#(goal)"}"#
  }

  private func appendSample() throws {
    try append([
      decision(0, "u", "red"), goal(60, "u", "view"), goal(90, "u", "buy"),
      decision(10, "v", "blue"), goal(2 * 86_400, "v", "view"), decision(30, "w", "blue"),
      decision(31, "w", "red"), goal(9 * 86_400, "u", "view"),
    ])
  }

  @Test("series has a row for each variant and day, and by week fewer")
  func series() throws {
    try appendSample()
    let days = try Command.run("report series \(log) --format csv")
    expectDone(days)
    #expect(days.lines[0].hasPrefix("experiment,point,slot,variant,day,decisions,units,"))
    #expect(days.lines.count == 1 + 2 * 10)
    #expect(
      days.lines[1].hasPrefix("e,point-1,decision-1,blue,2026-01-01,2,2,2,0,0,2,2,0,0,,,0.5"))
    #expect(days.lines[2].hasPrefix("e,point-1,decision-1,blue,2026-01-02,0,0,0,0,0,2,2,0,0,,,,"))
    let weeks = try Command.run("report series \(log) --every week --cohorts --format csv")
    #expect(weeks.lines.count == 1 + 2)
    #expect(weeks.lines[0].hasPrefix("experiment,point,slot,variant,week,"))
    #expect(weeks.lines[2].hasPrefix("e,point-1,decision-1,red,2025-12-29,2,2,2,3,3,2,2,3,1.5,"))
    let json = try Command.run("report series \(log) --cohorts --window 1d --format json")
    #expect(json.text.contains("everything by the first exposure"))
    #expect(json.text.contains("window 1d"))
  }

  @Test("a time far off does not make a table that no memory holds")
  func farOff() throws {
    try appendSample()
    try append([
      #"{"type":"decision","time":"9999-01-01T00:00:00Z","unit":"x","experiment":"e","variant":"red"}"#
    ])
    expectFailure(
      try Command.run("report series \(log) --every hour --empty-periods"), 65, says: "rows",
      "9999-01-01", "--until")
    let sparse = try Command.run("report series \(log) --every hour --format csv")
    expectDone(sparse)
    #expect(sparse.lines.count < 20 && sparse.messages.contains("--empty-periods"))
    expectDone(try Command.run("report series \(log) --every hour --until 2027-01-01T00:00:00Z"))
  }

  @Test("two events a century apart make two rows, and the days between only when asked")
  func centuryApart() throws {
    let far = { (year: Int) in
      #"{"type":"decision","time":"\#(year)-01-01T00:00:00Z","unit":"x","experiment":"e","variant":"a"}"#
    }
    try append([far(1926), far(2026)])
    let sparse = try Command.run("report series \(log) --format csv")
    expectDone(sparse)
    let left = 36_525 + 1 - 2
    #expect(sparse.lines.count == 3 && sparse.messages.contains("\(left) rows of a day"))
    let whole = try Command.run("report series \(log) --format csv --empty-periods")
    #expect(whole.lines.count == 1 + 36_526 && whole.messages == "")
    // What is left are the same rows.
    #expect(Set(whole.lines).isSuperset(of: sparse.lines))
    #expect(whole.lines.first == sparse.lines.first && whole.lines.last == sparse.lines.last)
  }

  @Test("visits end after an inactivity, and variants have those since the exposure")
  func visits() throws {
    try appendSample()
    let visits = try Command.run("report visits \(log) --format csv")
    expectDone(visits)
    #expect(visits.lines.count == 4)
    #expect(visits.lines[1].hasPrefix(",,,,3,5,8,"))
    #expect(visits.lines[2].hasPrefix("e,point-1,decision-1,blue,1,2,2,2,,,1,,,0,1,0.5"))
    #expect(visits.lines[3].hasPrefix("e,point-1,decision-1,red,1,2,4,2,,,2,,,45,0.5,1"))
    let long = try Command.run(
      "report visits \(log) --inactivity 30d --crossing first --format csv")
    #expect(long.lines[1].hasPrefix(",,,,3,3,8,1,,,"))
    #expect(long.lines[2].hasPrefix("e,point-1,decision-1,blue,2,2,4,"))
  }

  @Test("funnel has a row for each variant and step, in order or not, and says which are unknown")
  func funnel() throws {
    try appendSample()
    let verb = "report funnel \(log) --format csv"
    let funnel = try Command.run("\(verb) --steps view,buy")
    expectDone(funnel)
    #expect(funnel.lines.count == 7)
    #expect(funnel.lines[2].hasPrefix("e,point-1,decision-1,blue,1,view,1,1,1,"))
    #expect(funnel.lines[6].hasPrefix("e,point-1,decision-1,red,2,buy,1,1,1,"))
    #expect(funnel.lines[6].hasSuffix(",30,"))
    let other = try Command.run("\(verb) --steps buy,view --window 1h")
    #expect(other.lines[6].hasPrefix("e,point-1,decision-1,red,2,view,1,0,0,"))
    let any = try Command.run("\(verb) --steps buy,view --any-order --window 1h")
    #expect(any.lines[6].hasPrefix("e,point-1,decision-1,red,2,view,1,1,1,"))
    let unknown = try Command.run("report funnel \(log) --steps view,buyy --format json")
    expectFailure(unknown, 65, says: #"has no goal "buyy"; did you mean "buy"?"#)
  }

  @Test("retention counts units that are old enough, by the days that are asked for")
  func retention() throws {
    try appendSample()
    let retention = try Command.run("report retention \(log) --days 9,2,8 --format csv")
    expectDone(retention)
    #expect(retention.lines.count == 7)
    #expect(retention.lines[1].hasPrefix("e,point-1,decision-1,blue,2,1,0,0,0,"))
    #expect(retention.lines[4].hasPrefix("e,point-1,decision-1,red,2,1,0,0,0,"))
    #expect(retention.lines[6] == "e,point-1,decision-1,red,9,0,0,,,,1")
    let goals = try Command.run(
      "report retention \(log) --days 1 --on goals --window-days 3 --end 2026-01-05T00:00:10Z"
        + " --format csv")
    #expect(goals.lines[1].hasPrefix("e,point-1,decision-1,blue,1,1,1,1,"))
    #expect(goals.lines[2].hasPrefix("e,point-1,decision-1,red,1,1,0,0,"))
  }

  @Test("results are the same on any number of threads, and within any memory", arguments: verbs)
  func threads(verb: String) throws {
    var random = SeededGenerator(seed: 7)
    let lines = (0..<2_000).map { _ in
      let (second, unit) = (random.index(2_000_000), "u\(random.index(300))")
      return random.chance(0.4)
        ? decision(second, unit, "v\(random.index(3))")
        : goal(second, unit, random.pick(["view", "buy"], or: ""))
    }
    try append(lines)
    let one = try Command.run("report \(verb) \(log) --jobs 1 --format csv")
    expectDone(one)
    #expect(one.lines.count > 3)
    for flags in ["--jobs 3", "--jobs 2 --memory 1M"] {
      #expect(try Command.run("report \(verb) \(log) --format csv \(flags)").output == one.output)
    }
  }

  @Test(
    "every report takes a breakdown, an experiment and a time, and is explained", arguments: verbs)
  func common(verb: String) throws {
    try appendSample()
    let by = try Command.run("report \(verb) \(log) --by policy --experiment e --format csv")
    expectDone(by)
    #expect(by.lines[0].hasSuffix(",dimension,dimension_value"))
    #expect(by.lines.last?.hasSuffix(",policy,uniform") == true)
    expectFailure(try Command.run("report \(verb) \(log) --experiment f"), 65, says: "\"f\"")
    let none = try Command.run("report \(verb) \(log) --until 2020-01-01T00:00:00Z --format csv")
    expectDone(none)
    #expect(none.lines.count == 1)
    let name = verb.split(separator: " ")[0]
    expectDone(try Command.run("explain \(name)"))
  }

  @Test(
    "wrong flags are a mistake of usage that says what is right",
    arguments: [
      ("series L --every month", "month"), ("series L --alpha 1", "--alpha"),
      ("series L --limit 0", "--limit"), ("visits L --inactivity 30x", "30"),
      ("visits L --alpha 0", "--alpha"), ("funnel L", "--steps"),
      ("funnel L --steps view,,buy", "empty name"), ("funnel L --steps a --window 7x", "--window"),
      ("funnel L --steps a,b,a --any-order", "twice"),
      ("funnel L --steps a --ordered --any-order", "--any-order"),
      ("retention L --days 1,x", "number of days"),
      ("retention L --days 1,1", "different whole numbers"),
      ("retention L --days 1,-1", "number of days"), ("retention L --on clicks", "clicks"),
      ("retention L --window-days 0", "--window-days"),
      ("retention L --end tomorrow", "tomorrow"), ("retention", "log"),
    ])
  func mistakes(words: String, part: String) throws {
    expectFailure(try Command.run("report \(words)"), 64, says: part)
  }
}
