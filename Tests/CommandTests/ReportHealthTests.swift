import Foundation
import TestSupport
import Testing

@Suite("report health")
struct ReportHealthTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Decisions of so many units, a fourth of which get the variant a.
  private func skewed(_ count: Int) throws {
    let lines = (0..<count).map { number in
      #"{"type":"decision","time":"\#(Timestamps.text(seconds: number))","unit":"u\#(number)","#
        + #""experiment":"checkout","variant":"\#(number % 4 == 0 ? "a" : "b")"}"#
    }
    expectDone(try Command.run("append \(log)", input: lines.text))
  }

  @Test("every check has a row with a verdict, and the rules are in the notes")
  func report() throws {
    try skewed(400)
    let result = try Command.run("report health \(log) --format csv")
    expectDone(result)
    #expect(
      result.lines.first
        == "check,experiment,value,expected,p_value,verdict,point,slot,variant,count,total,threshold,detail"
    )
    #expect(
      result.lines.contains { $0.hasPrefix("sample_ratio,checkout,100,1,1.523970604832") })
    #expect(result.lines.contains { $0.hasPrefix("sample_ratio_units,checkout,100,200,,failed,") })
    #expect(result.lines.contains { $0.hasPrefix("crossed_units,checkout,0,0,,ok,") })
    #expect(result.lines.contains { $0.hasPrefix("lost_events,,0,0,,ok,") })
    let json = try Command.run("report health \(log) --format json")
    expectDone(json)
    #expect(json.text.contains("rule_sample_ratio"))
    #expect(json.text.contains("checks_failed"))
    expectDone(try Command.run("explain health"))
  }

  @Test("conversions of experiments that are left out are no orphans of the others")
  func leftOut() throws {
    let lines = (0..<40).flatMap { number -> [String] in
      let start = #""unit":"u\#(number)","time":"\#(Timestamps.text(seconds: 60 * number))""#
      let experiment = number < 10 ? "shop" : "site"
      let decision = #"{"type":"decision",\#(start),"experiment":"\#(experiment)","variant":"a"}"#
      return [decision] + (number < 10 ? [] : [#"{"type":"conversion",\#(start),"goal":"order"}"#])
    }
    expectDone(try Command.run("append \(log)", input: lines.text))
    let of = { (options: String) in
      try Command.run("report health \(log) --format csv \(options)").lines.first {
        $0.hasPrefix("orphan_conversions")
      }
    }
    #expect(try of("")?.contains(",ok,") == true)
    #expect(try of("--experiment shop")?.contains("not-applicable") == true)
    #expect(try of("--experiment shop --experiment site") == of(""))
    expectDone(try Command.run("report health \(log) --experiment shop --fail-on orphans"))
  }

  @Test("a check that failed and was named ends with 3, after the report was written")
  func failOn() throws {
    try skewed(400)
    let plain = try Command.run("report health \(log)")
    expectDone(plain)
    for named in ["srm", "failed", "any", "crossed,srm", "crossed --fail-on srm"] {
      let result = try Command.run("report health \(log) --fail-on \(named)")
      #expect(result.exitCode == 3, "\(named)")
      #expect(result.output == plain.output, "\(named)")
      #expect(result.messages.contains("sample_ratio (checkout)"), "\(result.messages)")
    }
    let file = folder.path("health.csv")
    let written = try Command.run("report health \(log) --fail-on srm --format csv -o \(file)")
    #expect(written.exitCode == 3)
    #expect(try Files.bytes(file) == plain.output)
    for named in ["crossed", "propensity,lost", "bias"] {
      expectDone(try Command.run("report health \(log) --fail-on \(named)"))
    }
    for shares in ["a=1,b=3", "checkout/a=1 --expect checkout/b=3"] {
      expectDone(try Command.run("report health \(log) --fail-on srm --expect \(shares)"))
    }
    expectDone(try Command.run("report health \(log) --fail-on srm --srm-alpha 1e-30"))
  }

  @Test("the report is the same on any number of threads")
  func jobs() throws {
    try skewed(300)
    let results = try [1, 2, 7].map { try Command.run("report health \(log) --jobs \($0)") }
    #expect(results.allSatisfy { $0.output == results[0].output && $0.exitCode == 0 })
  }

  @Test("an empty log is healthy")
  func empty() throws {
    expectDone(try Command.run("append \(log)", input: ""))
    let result = try Command.run("report health \(log) --fail-on any")
    expectDone(result)
    #expect(result.lines.count == 7)
  }

  @Test("events that were erased are counted")
  func erased() throws {
    try skewed(40)
    expectDone(try Command.run("log erase \(log) --unit u3"))
    let result = try Command.run("report health \(log)")
    #expect(
      result.lines.contains { $0.hasPrefix("erased_events,,0.025,0,,warning,,,,1,40,") },
      "\(result.text)")
  }

  @Test(
    "options that cannot be are named",
    arguments: [
      ("--fail-on nothing", #""srm", "crossed""#), ("--fail-on srm,", "--fail-on"),
      ("--expect a", "--expect"), ("--expect a=-1", "--expect"), ("--expect a=0", "--expect"),
      ("--srm-alpha 0", "--srm-alpha"), ("--srm-alpha 1", "--srm-alpha"),
      ("--bot-events 0", "--bot-events"), ("--before soon", "--before"),
    ])
  func mistakes(options: String, named: String) throws {
    try skewed(4)
    expectFailure(try Command.run("report health \(log) \(options)"), 64, says: named)
  }
}
