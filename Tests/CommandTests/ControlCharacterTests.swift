import Foundation
import TestSupport
import Testing

/// Names come from files that others wrote. Whatever is in them, a terminal shows them and does nothing else.
@Suite("Control characters")
struct ControlCharacterTests {
  /// Clears the screen, sets the title, moves up, and turns the direction of the text; in 7 and 8 bits.
  private static let evil = "x\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{8}\u{202E}\u{7F}y"
  /// A text with which a message would be one of several lines.
  private static let broken = "x\u{1B}\nbandolier: all is well\r\n\u{2028}y"
  /// Longer than any screen.
  private static let long = "x\u{1B}" + String(repeating: "long ", count: 4_000) + "y"

  private let folder: TemporaryFolder
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    log = folder.path("log")
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<5).text))
  }

  private func expectHarmless(
    _ text: String, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = text.unicodeScalars.filter {
      [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
    }
    #expect(found.isEmpty, comment, sourceLocation: sourceLocation)
  }

  /// Every way by which a text gets into a message.
  private func invocations(_ evil: String = evil) throws -> [[String]] {
    let quoted = evil.unicodeScalars.map {
      "\\u" + String(format: "%04x", $0.value)
    }.joined()
    let header = try folder.write("a,\(evil)\n1,2\n", "header.csv")
    let events = try folder.write(
      #"{"type":"\#(quoted)","time":1767225600,"unit":"u"}"# + "\n", "events.jsonl")
    let broken = try folder.write("{\"type\":\"goal\" \(evil)}\n", "broken.jsonl")
    let plans = [
      "policies: [\"\(quoted)\"]\nenvironments: [\"bernoulli:means=0.1;0.2\"]\n",
      "\"\(quoted)\": 1\n", "policies: [thompson]\nenvironments: [\"\(quoted):means=1\"]\n",
      "policies: [\(evil)\n", "horizon: \"\(quoted)\"\n",
    ]
    let files = try plans.enumerated().map { try folder.write($1, "plan\($0).yaml") }
    let configuration = try folder.write(
      #"{"agents":{"\#(quoted)":{"variants":"\#(quoted)"}},"\#(quoted)":1}"#, "config.json")
    return files.map { ["simulate", $0] } + [
      ["report", evil], ["report", "rewards", log, evil], ["report", "rewards", log, "--\(evil)"],
      ["report", "rewards", log, "--format", evil], ["report", "rewards", log, "--by", evil],
      ["report", "rewards", log, "--since", evil], ["report", "rewards", log, "--memory", evil],
      ["report", "rewards", log, "--experiment", evil], ["report", "rewards", folder.path(evil)],
      ["report", "funnel", log, "--steps", evil], ["report", "rewards", log, "-o", "/no/\(evil)"],
      ["report", "compare", log, "--metric", evil], ["report", "compare", log, "--expect", evil],
      ["explain", evil], [evil], ["simulate", "-e", evil, "-p", evil],
      ["simulate", "-e", "bernoulli:means=\(evil)", "-p", "thompson"],
      ["simulate", folder.path(evil)], ["simulate", "--merge", header],
      ["import", header, "--log", log], ["import", events, "--log", log],
      ["import", broken, "--log", log], ["import", folder.path(evil), "--log", log],
      ["import", events, "--log", log, "--format", evil], ["generate", evil, "--log", log],
      ["decide", configuration, "--log", log, "--unit", "u", "--experiment", evil],
      ["evaluate", log, "--policy", evil], ["report", "compare", log, "--goal", evil],
      ["log", "verify", folder.path(evil)], ["replay", log, "--into", "/no/\(evil)"],
      ["replay", log, "--into", header], ["log", "cat", log, "--experiment", evil],
    ]
  }

  @Test("no message has any, of whatever file or argument it speaks")
  func messages() throws {
    var quoting = 0
    for words in try invocations() {
      let result = try Command.run(words)
      expectHarmless(result.messages, "\(words): \(result.messages)")
      if result.messages.contains("\\u{1B}") { quoting += 1 }
    }
    // They are shown, and not left out.
    #expect(quoting > 15)
  }

  private func expectLines(_ result: CommandResult, _ comment: Comment) {
    expectHarmless(result.messages, comment)
    for line in result.messages.split(separator: "\n") {
      #expect(line.utf8.count <= 1_020, comment)
      #expect(!line.hasPrefix("bandolier: all is well"), comment)
    }
    // What the parser of the command line prints has the usage after the message.
    #expect(result.messages.split(separator: "\n").count < 30, comment)
  }

  @Test("what a message quotes is cut to a line", arguments: [broken, long])
  func lines(text: String) throws {
    for words in try invocations(text) {
      expectLines(try Command.run(words), "\(words.map { $0.prefix(40) })")
    }
  }

  /// A very long name, of a megabyte in `make test-long`, or one with line breaks, where each format has its names, values and times.
  @Test(
    "so is what the importer of any format quotes of a file",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"))
  func imports() throws {
    let listed = try Command.run("formats --format csv").text.split(separator: "\n").dropFirst()
    let formats = listed.compactMap { $0.split(separator: ",").first.map(String.init) }
    #expect(formats.count > 10)
    let huge = String(repeating: "name ", count: LongTests.areWanted ? 200_000 : 2_000)
    for name in [huge, Self.broken] {
      let quoted = name.unicodeScalars.map {
        $0.value < 32 || $0.value > 126 ? "\\u" + String(format: "%04x", $0.value) : "\($0)"
      }.joined()
      let files = [
        "{\"type\":\"\(quoted)\",\"\(quoted)\":\"\(quoted)\",\"time\":\"\(quoted)\",\"unit\":\"u\"}\n",
        "unit,time,variant,\"\(name)\"\nu,\"\(name)\",a,\"\(name)\"\n",
        name + "\n",
      ]
      for (index, text) in files.enumerated() {
        let file = try folder.write(text, "input\(index)")
        for format in formats + ["auto"] {
          for more in [[], ["--on-error", "skip"]] {
            let result = try Command.run(
              ["import", file, "--log", folder.path("imported"), "--format", format] + more)
            expectLines(result, "\(format), file \(index): \(result.messages.prefix(200))")
          }
        }
      }
    }
  }

  @Test("so is what an analysis file and the names of a log bring")
  func files() throws {
    for name in [String(repeating: "n", count: 1 << 20), "x\\u001b\\nbandolier: all is well"] {
      for yaml in [
        "\"\(name)\":\n  a: 1\n", "experiments:\n  \"\(name)\": {metric: \"\(name)\"}\n",
      ] {
        let file = try folder.write(yaml, "analysis.yaml")
        let result = try Command.run(["report", "decisions", log, "--analysis", file])
        #expect(result.exitCode != 0)
        expectLines(result, "\(yaml.prefix(40))")
      }
    }
  }

  @Test("no table on a terminal has any")
  func tables() throws {
    let other = folder.path("other")
    let quoted = Self.evil.unicodeScalars.map { "\\u" + String(format: "%04x", $0.value) }.joined()
    let lines = [
      #"{"type":"decision","time":1767225600,"unit":"u","experiment":"\#(quoted)","point":"\#(quoted)","variant":"\#(quoted)","policy":"\#(quoted)","context":{"\#(quoted)":"\#(quoted)"}}"#,
      #"{"type":"conversion","time":1767225601,"unit":"u","goal":"\#(quoted)","revenue":1}"#,
    ]
    expectDone(try Command.run("append \(other)", input: lines.text))
    for words in [
      ["rewards"], ["rewards", "--by", "policy"], ["conversions"], ["health"], ["series"],
      ["rewards", "--by", "context.\(Self.evil)"], ["compare"], ["visits"],
    ] {
      let terminal = try PseudoTerminal(columns: 200)
      let result = try terminal.run(
        ["report", words[0], other] + words.dropFirst(), environment: ["NO_COLOR": "1"])
      expectHarmless(result.text + result.messages, "\(words)")
    }
  }
}
