import Foundation
import Platform
import TestSupport
import Testing

@Suite("Output")
struct OutputTests {
  private let folder: TemporaryFolder
  private let results: TemporaryFolder
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    results = try TemporaryFolder()
    log = folder.path("log")
    for part in [0..<30, 30..<60] {
      expectDone(try Command.run("append \(log)", input: Samples.decisions(part).text))
    }
  }

  /// Everything that writes data: its words, to which a place may be added.
  private var verbs: [String] {
    ["export \(log)", "report rewards \(log)", "log info \(log)", "formats"]
  }

  private func contents(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("-o writes what would have gone to standard output, and leaves nothing beside it")
  func toFile() throws {
    for (number, verb) in verbs.enumerated() {
      let path = results.path("\(number)")
      let result = try Command.run("\(verb) -o \(path)")
      expectDone(result)
      #expect(result.text == "")
      #expect(try contents(path) == Command.run(verb).text)
    }
    #expect(results.files.count == verbs.count)
    let dash = try Command.run("formats -o -")
    #expect(try dash.output == Command.run("formats").output)
  }

  @Test("-o is meant from the folder in which the command is run")
  func workingFolder() throws {
    expectDone(
      try Command.run(["export", log, "--output", "events.jsonl"], directory: results.path))
    #expect(results.files == ["events.jsonl"])
  }

  @Test("more variants than --memory has room for are refused with their number, and fewer are not")
  func groups() throws {
    let many = folder.path("many")
    let lines = (0..<2_000).map {
      #"{"type":"decision","time":1767225600,"unit":"u","experiment":"e\#($0 % 2)","variant":"v\#($0)"}"#
    }
    expectDone(try Command.run("append \(many)", input: lines.text))
    for report in ["rewards", "compare", "series", "health", "visits"] {
      expectFailure(
        try Command.run("report \(report) \(many) --memory 1M"), 65, says: "2000 groups",
        "--memory",
        "--experiment")
      let words = "report \(report) \(many) --experiment e0"
      #expect(try Command.run(words + " --memory 1M").output == Command.run(words).output)
      expectDone(try Command.run("report \(report) \(many) --memory 100M"))
    }
  }

  @Test("a file that is there is kept without --force and replaced with it")
  func existing() throws {
    for verb in verbs {
      let path = try results.write("mine", "result")
      expectFailure(
        try Command.run("\(verb) -o \(path)"), 73, says: "\(path) exists", "--force")
      #expect(try contents(path) == "mine")
      expectDone(try Command.run("\(verb) -o \(path) --force"))
      #expect(try contents(path) == Command.run(verb).text)
      #expect(results.files == ["result"])
    }
  }

  @Test("a missing folder, and a folder in place of a file, cannot be written to")
  func missingFolder() throws {
    for verb in verbs {
      let path = results.path("no/result")
      expectFailure(try Command.run("\(verb) -o \(path)"), 73, says: path, "make it first")
      expectFailure(
        try Command.run("\(verb) -o \(results.path)"), 73, says: results.path, "is a directory")
    }
    #expect(results.files == [])
  }

  @Test("what fails half way leaves neither the file nor a part of it, and keeps the old one")
  func failure() throws {
    let segment = "\(log)/seg-00000000000000000000.bdl"
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: segment)))
    bytes[bytes.count / 4] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: segment))
    for verb in ["export \(log)", "report rewards \(log)"] {
      expectFailure(try Command.run("\(verb) -o \(results.path("new"))"), 65, says: segment)
      #expect(results.files == [])
    }
    let path = try results.write("mine", "old")
    expectFailure(try Command.run("export \(log) -o \(path) --force"), 65, says: segment)
    #expect(results.files == ["old"])
    #expect(try contents(path) == "mine")
  }

  @Test("a device that takes nothing more is an input/output error that names it")
  func fullDevice() throws {
    for verb in verbs {
      let words = verb.split(separator: " ").map(String.init)
      expectFailure(
        try Command.run(words, output: .file("/dev/full")), 74,
        says: "standard output", "no space left", "make room")
      expectFailure(
        try Command.run(words + ["-o", "/dev/full"]), 74, says: "/dev/full", "no space left")
    }
    expectFailure(
      try Command.run(["log", "cat", log], output: .file("/dev/full")), 74,
      says: "standard output")
  }

  @Test("an acknowledgement that cannot be printed ends an append; what was stored stays")
  func fullDeviceForAcknowledgements() throws {
    let lines = Samples.decisions(60..<70)
    let result = try Command.run(
      ["append", log, "--ack"], input: Array(lines.text.utf8), output: .file("/dev/full"))
    expectFailure(result, 74, says: "standard output")
    #expect(try Command.events(log) == Samples.decisions(0..<70))
  }

  @Test("when the reader of a pipe has closed it the command ends silently")
  func closedPipe() throws {
    for verb in verbs + ["log cat \(log)", "log verify \(log)"] {
      var ends: [Int32] = [0, 0]
      // Safety: the call fills both elements.
      #expect(unsafe pipe(&ends) == 0)
      close(ends[0])
      let result = try Command.run(
        verb.split(separator: " ").map(String.init), output: .descriptor(ends[1]))
      close(ends[1])
      #expect(result.exitCode == 141, "\(verb)")
      #expect(result.messages == "", "\(verb)")
    }
  }

  @Test("every report is the same bytes on every run, in every format")
  func deterministic() throws {
    for verb in ["report rewards \(log)", "log info \(log)", "formats"] {
      for format in ["table", "csv", "json", "jsonl", "markdown"] {
        let first = try Command.run("\(verb) --format \(format)")
        expectDone(first)
        #expect(!first.output.isEmpty)
        #expect(try Command.run("\(verb) --format \(format)").output == first.output)
      }
    }
  }
}
