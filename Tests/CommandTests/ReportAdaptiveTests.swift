import Foundation
import TestSupport
import Testing

@Suite("report adaptive")
struct ReportAdaptiveTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let heading =
    "experiment,point,slot,variant,decisions,reward_mean,aw_mean,standard_error,ci_low,ci_high,"
    + "difference,difference_ci_low,difference_ci_high,p_value,propensity_p_value,status,method,baseline"

  /// A decision of a unit of its own, red and blue in turn, with a goal for every fourth.
  private func lines(_ numbers: Range<Int>, probabilities: String? = "[0.5,0.5]") -> [String] {
    numbers.flatMap { number -> [String] in
      let time = Timestamps.text(seconds: number)
      let known = probabilities.map { #","probabilities":\#($0)"# } ?? ""
      let decision =
        #"{"type":"decision","time":"\#(time)","unit":"u\#(number)","experiment":"checkout","#
        + #""variant":"\#(number % 2 == 0 ? "red" : "blue")","choices":["red","blue"],"#
        + #""propensity":0.5\#(known),"reason":"\#(probabilities == nil ? "forced" : "random")"}"#
      let goal =
        #"{"type":"goal","time":"\#(time)","unit":"u\#(number)","experiment":"checkout","#
        + #""goal":"g","value":2}"#
      return number % 4 == 0 ? [decision, goal] : [decision]
    }
  }

  @Test("prints the weighted mean of each variant and its difference to the baseline")
  func means() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<4).text))
    let result = try Command.run("report adaptive \(log) --weighting uniform --format csv")
    expectDone(result)
    #expect(result.lines.count == 3 && result.lines.first == Self.heading)
    // Of red the scores are 4, 2, 2 + (0 - 2)/0.5 = -2, and 1.
    let red = try #require(result.lines.last)
    #expect(red.hasPrefix("checkout,point-1,decision-1,red,2,1,1.25,"))
    #expect(red.hasSuffix(#",,,,too few decisions,"AIPW, uniform weights",blue"#))
    #expect(
      result.lines[1].hasPrefix("checkout,point-1,decision-1,blue,2,0,0,,,,,,,,,no variance,"))
    let other = try Command.run("report adaptive \(log) --baseline red --format csv")
    #expect(
      other.lines.last?.hasSuffix(
        ",,,,too few decisions,\"adaptively weighted AIPW, constant allocation\",red")
        == true)
    let json = try Command.run(
      "report adaptive \(log) --weighting two-point --alpha 0.1 --format json"
    ).text
    #expect(json.contains("two-point") && json.contains("Student's t, 90 %"))
  }

  @Test("late events, threads and little memory change nothing")
  func stable() throws {
    let lines = lines(0..<200, probabilities: "[0.25,0.75]") + lines(200..<300)
    expectDone(try Command.run("append \(log)", input: lines.text))
    let other = folder.path("other")
    for part in [lines[150...], lines[..<70], lines[70..<150]] {
      expectDone(try Command.run("append \(other)", input: part.text))
    }
    let report = try Command.run("report adaptive \(log) --format csv --jobs 1")
    expectDone(report)
    #expect(report.lines.count == 3)
    for options in ["--jobs 2", "--jobs 7", "--jobs 64", "--jobs 2 --memory 1M"] {
      #expect(
        try Command.run("report adaptive \(other) --format csv \(options)").output == report.output)
    }
  }

  @Test("decisions without probabilities leave no estimate, unless they are left out")
  func lacking() throws {
    let lines = lines(0..<8) + lines(8..<10, probabilities: nil)
    expectDone(try Command.run("append \(log)", input: lines.text))
    let result = try Command.run("report adaptive \(log) --format csv")
    expectDone(result)
    #expect(result.lines.dropFirst().allSatisfy { $0.contains(",,,,,,,,,needs probabilities,") })
    let some = try Command.run("report adaptive \(log) --without-reason forced --format csv")
    #expect(some.lines.last?.contains(",too few decisions,") == true)
    let days = try Command.run("report adaptive \(log) --by reason --format csv")
    #expect(days.lines.first == Self.heading + ",dimension,dimension_value")
    #expect(days.lines.count == 5)
  }

  @Test("wrong flags are mistakes of usage; a log or variant that is not there is said so")
  func mistakes() throws {
    for (flags, part) in [
      ("--weighting best", "two-point"), ("--alpha 1", "--alpha"), ("--attribution best", "linear"),
      ("--limit 0", "--limit"),
    ] {
      expectFailure(try Command.run("report adaptive \(log) \(flags)"), 64, says: part)
    }
    expectFailure(try Command.run("report adaptive \(log)"), 66, says: log)
    expectDone(try Command.run("append \(log)", input: lines(0..<2).text))
    expectFailure(try Command.run("report adaptive \(log) --baseline green"), 65, says: "green")
    let explained = try Command.run("explain adaptive")
    expectDone(explained)
    #expect(explained.text.contains("Hadad"))
  }
}
