import Foundation
import TestSupport
import Testing

@Suite("Reports of the parts of a log")
struct PartialTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var parts: String { folder.path("parts") }

  init() throws {
    folder = try TemporaryFolder()
    expectDone(try Command.run("generate storefront --events 4000 --seed 3 --log \(log)"))
    expectDone(try Command.run("log split \(log) --into 3 -o \(log)"))
    try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: false)
  }

  private func record(_ report: String, _ options: String = "", to folder: String? = nil) throws {
    for shard in 1...3 {
      let result = try Command.run(
        "report \(report) \(log)-\(shard - 1) --partial \(folder ?? parts)/\(shard) --shard \(shard)/3 --force \(options)"
      )
      expectDone(result)
      #expect(result.messages.contains("shard \(shard)/3"))
    }
  }

  @Test(
    "are those of the whole log",
    arguments: [
      "rewards --by context.device", "compare --metric revenue --method bootstrap",
      "health", "power", "conversions --experiment homepage",
    ])
  func merged(_ report: String) throws {
    try record(report)
    for format in ["csv", "json"] {
      let whole = try Command.run("report \(report) \(log) --format \(format)")
      let merged = try Command.run("report \(report) --merge \(parts) --format \(format)")
      expectDone(merged)
      #expect(whole.text == merged.text)
      // The events of the log have ids, which partials do not keep.
      let isSaid = merged.messages.contains("shared_ids is not counted")
      #expect(isSaid == report.hasPrefix("health") && !whole.messages.contains("shared_ids"))
    }
  }

  @Test("are merged in steps too")
  func steps() throws {
    try record("rewards")
    let two = folder.path("two")
    expectDone(
      try Command.run("report rewards --merge \(parts)/1 --merge \(parts)/3 --partial \(two)"))
    let merged = try Command.run("report rewards --merge \(two) --merge \(parts)/2 --format csv")
    expectDone(merged)
    #expect(merged.text == (try Command.run("report rewards \(log) --format csv")).text)
  }

  @Test("that depend on the end of the data need it")
  func dataEnd() throws {
    let funnel = "funnel --steps purchase"
    expectFailure(
      try Command.run("report \(funnel) \(log)-0 --partial \(parts)/1"), 64, says: "--data-end")
    let info = try Command.run("log info \(log) --format csv").text
    let latest = try #require(
      info.split(separator: "\n").first { $0.hasPrefix("latest,") }?.dropFirst(7))
    try record(funnel, "--data-end \(latest)")
    let merged = try Command.run("report \(funnel) --merge \(parts) --format csv")
    expectDone(merged)
    #expect(merged.output == (try Command.run("report \(funnel) \(log) --format csv")).output)
  }

  @Test("are made in several passes for an evaluation, each with what the one before gave")
  func evaluation() throws {
    let options =
      "--experiment recommendations --policy uniform --policy logged --estimator dr --estimator ips"
    var given = ""
    for pass in 1...3 {
      let passed = folder.path("pass-\(pass)")
      try FileManager.default.createDirectory(
        atPath: passed, withIntermediateDirectories: false)
      for shard in 1...3 {
        expectDone(
          try Command.run(
            "evaluate \(log)-\(shard - 1) \(options) --partial \(passed)/\(shard) --shard \(shard)/3 \(given)"
          ))
      }
      if pass == 3 {
        let merged = try Command.run("evaluate --merge \(passed) \(options) \(given) --format csv")
        expectDone(merged)
        let whole = try Command.run("evaluate \(log) \(options) --format csv")
        #expect(merged.output == whole.output)
      } else {
        expectFailure(
          try Command.run("evaluate --merge \(passed) \(options) \(given)"), 65,
          says: "another pass")
        let merged = folder.path("merged-\(pass)")
        expectDone(
          try Command.run("evaluate --merge \(passed) \(options) \(given) --partial \(merged)"))
        given = "--given \(merged)"
      }
    }
  }

  @Test("are refused for an evaluation of several experiments or that needs the whole log")
  func refusedEvaluations() throws {
    for (options, part) in [
      ("--policy uniform", "name one with --experiment"),
      ("--experiment homepage --policy ucb1", "learning policy ucb1"),
      (
        "--experiment homepage --policy uniform --estimator dr --reward-model logistic",
        "--reward-model linear"
      ),
      ("--experiment homepage --policy uniform --truth \(log)", "--truth"),
    ] {
      expectFailure(
        try Command.run("evaluate \(log) \(options) --partial \(parts)/1"), 64, says: part)
    }
  }

  @Test("are refused where they do not belong together, naming which")
  func refusals() throws {
    try record("rewards")
    expectFailure(
      try Command.run("report rewards \(log)-0 --partial \(folder.path("x")) --shard 2/3"), 65,
      says: "belongs to shard", "not 2/3")
    expectFailure(
      try Command.run("report rewards --merge \(parts)/1 --merge \(parts)/3"), 65,
      says: "shard 2/3 is missing")
    expectFailure(
      try Command.run("report rewards --window 7d --merge \(parts)"), 65,
      says: "\(parts)/1", "another question: it has window none, not window 7d; give --merge the options")
    expectFailure(
      try Command.run("report visits --merge \(parts)"), 65, says: "report: rewards")
    let other = folder.path("1-again")
    expectDone(try Command.run("report rewards \(log)-1 --partial \(other) --shard 2/3"))
    expectDone(
      try Command.run("report rewards --merge \(parts) --merge \(other) --format csv"))
    for part in 0...1 {
      expectDone(try Command.run("report rewards \(log)-\(part) --partial \(folder.path("whole\(part)"))"))
    }
    expectFailure(
      try Command.run("report rewards --merge \(folder.path("whole0")) --merge \(folder.path("whole1"))"), 65,
      says: "whole1 and", "are both of a whole log", "--shard")
    let damaged = folder.path("damaged")
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: other)))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: damaged))
    expectFailure(
      try Command.run("report rewards --merge \(damaged)"), 65, says: damaged, "checksum")
    expectFailure(
      try Command.run("report rewards --merge \(log)-0/../log.truth.json"), 65,
      says: "not a partial")
    expectFailure(try Command.run("report rewards --merge \(folder.path("no"))"), 66, says: "no")
  }

  @Test(
    "refuse names that no part has, as the whole log does",
    arguments: [
      "rewards --by context.nosuch", "visits --by data.nosuch.key",
      "compare --post-stratify context.nosuch", "rewards --without-reason nosuch",
      "conversions --without-reason nosuch --without-reason nowhere",
    ])
  func missingNames(_ report: String) throws {
    expectFailure(try Command.run("report \(report) \(log)"), 65, says: "nosuch")
    try record(report)
    expectFailure(
      try Command.run("report \(report) --merge \(parts)"), 65, says: "nosuch",
      "none of the parts has")
  }

  @Test(
    "accept names that one part has, and warn of reasons that none has besides one that is known")
  func knownNames() throws {
    let report = "rewards --without-reason sticky --without-reason nosuch --by data.device.device"
    try record(report)
    let merged = try Command.run("report \(report) --merge \(parts) --format csv")
    expectDone(merged)
    #expect(merged.messages.contains("none of the parts has reason \"nosuch\""))
    #expect(merged.output == (try Command.run("report \(report) \(log) --format csv")).output)
    let forced = "rewards --without-reason forced"
    try record(forced)
    let nothing = try Command.run("report \(forced) --merge \(parts)")
    expectDone(nothing)
    #expect(nothing.messages.contains("so it leaves nothing out"))
  }

  @Test("are errors of usage with options that make no sense together")
  func usage() throws {
    for (line, part) in [
      ("--merge \(parts) \(log)", "leave the log out"), ("", "<log>"),
      ("\(log) --shard 1/3", "--shard needs --partial"),
      ("\(log) --given x", "--given needs --partial"),
      ("\(log) --partial x --shard 4/3", "4/3"), ("\(log) --partial x --shard 1/5000", "4096"),
      ("\(log) --partial x --analysis y", "--analysis"),
    ] {
      expectFailure(try Command.run("report rewards \(line)"), 64, says: part)
    }
    expectFailure(
      try Command.run("report adaptive \(log) --partial \(parts)/1"), 64,
      says: "cannot be made of parts")
  }
}
