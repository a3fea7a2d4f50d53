import Platform
import TestSupport
import Testing

@Suite("log cat")
struct LogCatTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// An event as the tests know it.
  private struct Sample {
    var second: Int
    var kind: String
    var unit: String
    var experiment: String?

    var line: String {
      let start =
        #"{"type":"\#(kind)","time":"\#(Timestamps.text(seconds: second))","unit":"\#(unit)""#
      return switch kind {
      case "decision": start + #","experiment":"\#(experiment ?? "")","variant":"red"}"#
      case "goal": start + #","experiment":"\#(experiment ?? "")","goal":"order"}"#
      default: start + #","goal":"order","revenue":2}"#
      }
    }
  }

  private func samples(_ count: Int, _ random: inout SeededGenerator) -> [Sample] {
    let drift = random.index(80)
    return (0..<count).map { number in
      let kind = random.pick(["decision", "goal", "conversion"], or: "")
      return Sample(
        second: drift + number + random.index(20), kind: kind, unit: "u\(random.index(7))",
        experiment: kind == "conversion" ? nil : "e\(random.index(70))")
    }
  }

  @Test("prints the events that meet every condition", arguments: 1...6 as ClosedRange<UInt64>)
  func conditions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var all: [Sample] = []
    for _ in 0..<5 {
      let part = samples(60, &random)
      expectDone(try Command.run("append \(log)", input: part.map(\.line).text))
      all += part
    }
    for _ in 0..<15 {
      var words = ["log", "cat", log]
      var wanted = Array(all.enumerated())
      if random.chance(0.4) {
        let (from, to) = (random.index(150), 150 + random.index(200))
        words += ["--from", "\(from)", "--to", "\(to)"]
        wanted.removeAll { !(from..<to).contains($0.offset) }
      }
      if random.chance(0.4) {
        let since = random.index(160)
        words += ["--since", Timestamps.text(seconds: since)]
        wanted.removeAll { $0.element.second < since }
      }
      if random.chance(0.4) {
        let until = 160 + random.index(40)
        // 1767225600 is the start of 2026, here in milliseconds.
        words += ["--until", "\((1_767_225_600 + until) * 1_000)"]
        wanted.removeAll { $0.element.second >= until }
      }
      if random.chance(0.4) {
        words += ["--kind", "goal", "--kind", "conversion"]
        wanted.removeAll { $0.element.kind == "decision" }
      }
      if random.chance(0.4) {
        let experiments = (0..<8).map { _ in "e\(random.index(70))" }
        for experiment in experiments { words += ["--experiment", experiment] }
        wanted.removeAll { !experiments.contains($0.element.experiment ?? "") }
      }
      if random.chance(0.4) {
        let units = ["u\(random.index(7))", "u\(random.index(7))", "nobody"]
        for unit in units { words += ["--unit", unit] }
        wanted.removeAll { !units.contains($0.element.unit) }
      }
      let result = try Command.run(words)
      expectDone(result)
      #expect(result.lines == wanted.map(\.element.line), "seed \(seed): \(words)")
    }
  }

  @Test("frames that their header rules out are not read: damage in them is not noticed")
  func notRead() throws {
    var random = SeededGenerator(seed: 1)
    for hour in 0..<3 {
      let part = (0..<50).map {
        Sample(
          second: hour * 3_600 + $0, kind: ["goal", "decision", "goal"][hour], unit: "u",
          experiment: "e\(hour)")
      }
      expectDone(try Command.run("append \(log)", input: part.map(\.line).text))
    }
    try Files.change("\(log)/seg-00000000000000000000.bdl") { bytes in
      // The last chunk of the last frame with events stands right before its trailer of 16 bytes, and that
      // before the empty frame of 152 bytes with which the log was closed.
      for offset in (152 + 17)...(152 + 40) {
        bytes[bytes.count - offset] ^= UInt8(1 + random.index(255))
      }
    }
    expectFailure(try Command.run("log cat \(log) --from 100"), 65, says: "checksum")
    for condition in [
      "--to 100", "--until \(Timestamps.text(seconds: 7_200))", "--kind decision",
      "--experiment e1", "--experiment e0 --experiment e1",
    ] {
      let result = try Command.run("log cat \(log) \(condition)")
      expectDone(result)
      #expect(!result.lines.isEmpty)
    }
  }

  @Test("conditions that make no sense are mistakes of usage that say what does")
  func mistakes() throws {
    for (words, part) in [
      ("--since yesterday", "2026-01-02T03:04:05Z"), ("--until 2026-01-02T03:04:05", "offset"),
      ("--kind view", #""decision", "goal", "conversion""#), ("--since 20 --until 10", "--until"),
      ("--to 1 --from 2", "--from"),
    ] {
      expectFailure(try Command.run("log cat \(log) \(words)"), 64, says: part)
    }
  }

  @Test("--follow prints what is appended, until Ctrl-C", arguments: [1, 2] as [UInt64])
  func follows(seed: UInt64) throws {
    let lines = Samples.decisions(0..<400)
    expectDone(try Command.run("append \(log)", input: lines[..<30].text))
    let cat = try Command.start(["log", "cat", log, "--follow", "--from", "10"])
    _ = try cat.waitForLines(20)
    #expect(cat.outputLines == Array(lines[10..<30]))
    var random = SeededGenerator(seed: seed)
    var sent = 30
    let writer = try Command.start(["append", log, "--ack"])
    for _ in 0..<6 {
      let count = 1 + random.index(50)
      writer.send(lines[sent..<sent + count].text)
      sent += count
      try writer.waitUntilRead()
      _ = try cat.waitForLines(sent - 10)
      #expect(cat.outputLines == Array(lines[10..<sent]), "seed \(seed)")
    }
    expectDone(try writer.finish())
    cat.signal(SIGINT)
    let result = try cat.wait()
    #expect(result.exitCode == 130)
    #expect(result.messages == "bandolier: error: interrupted\n")
    #expect(result.lines == Array(lines[10..<sent]))
  }

  @Test("--follow begins with an empty log, keeps the conditions, and ends at --to")
  func followsToTheEnd() throws {
    expectDone(try Command.run("append \(log)"))
    let cat = try Command.start(["log", "cat", log, "--follow", "--unit", "u7", "--to", "20"])
    let lines = Samples.decisions(0..<10)
    for _ in 0..<3 { expectDone(try Command.run("append \(log)", input: lines.text)) }
    let result = try cat.wait()
    expectDone(result)
    #expect(result.lines == [lines[7], lines[7]])
  }

  @Test("--follow ends when the reader of its pipe goes away, also while nothing is appended")
  func closedPipe() throws {
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<3).text))
    var ends: [Int32] = [0, 0]
    // Safety: the call fills both elements.
    #expect(unsafe pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let cat = try Command.start(["log", "cat", log, "--follow"], output: .descriptor(ends[1]))
    close(ends[1])
    var byte: UInt8 = 0
    // Safety: one byte is read into a place that outlives the call.
    #expect(unsafe read(ends[0], &byte, 1) == 1)
    close(ends[0])
    let result = try cat.wait()
    #expect(result.exitCode == 141)
    #expect(result.messages == "")
  }
}
