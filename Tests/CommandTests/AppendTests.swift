import Platform
import TestSupport
import Testing

@Suite("append")
struct AppendTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("a producer that waits is told of each piece once it is stored")
  func acknowledges() throws {
    let lines = Samples.decisions(0..<6)
    let command = try Command.start(["append", log, "--ack"])
    for (number, line) in lines.prefix(4).enumerated() {
      command.send(line + "\n")
      #expect(try command.waitForLines(number + 1) == "ack \(number)")
      #expect(try Command.events(log) == Array(lines[...number]))
    }
    // Half a line is no event yet; its other half brings two.
    command.send(String(lines[4].prefix(40)))
    try command.waitUntilRead()
    command.send(lines[4].dropFirst(40) + "\n" + lines[5] + "\n")
    let result = try command.finish()
    expectDone(result)
    #expect(result.lines.last == "ack 5")
    #expect(result.messages == "bandolier: appended 6 events, duplicates 0\n")
    #expect(try Command.events(log) == lines)
  }

  @Test("without --ack nothing is printed, and a last line needs no line feed")
  func silent() throws {
    let lines = Samples.decisions(0..<300)
    let result = try Command.run("append \(log)", input: lines.joined(separator: "\n"))
    expectDone(result)
    #expect(result.text == "")
    #expect(try Command.events(log) == lines)
  }

  @Test("blank lines and a byte-order mark are passed over, as by an import")
  func blanks() throws {
    let lines = Samples.decisions(0..<2)
    let result = try Command.run("append \(log)", input: "\u{FEFF}\(lines[0])\r\n  \t\n\n\(lines[1])")
    expectDone(result)
    #expect(try Command.events(log) == lines)
  }

  @Test("standard descriptors that are closed are an error at once, and no file takes their place")
  func closedDescriptors() throws {
    for line in ["append \(log) --ack <&- >&-", "append \(log) <&- >&- 2>&-", "import - --log \(log) <&-"] {
      let result = try Program.run("sh", ["-c", "exec \(Command.path) \(line)"])
      #expect(result.exitCode != 0, "\(line)")
      if !line.contains("2>&-") { #expect(result.messages.contains("standard input"), "\(line)") }
    }
  }

  @Test("each ends its log as every writer does, with a frame that says what is durable")
  func sealed() throws {
    let lines = Samples.decisions(0..<3)
    let sizes = try (0..<20).map { number in
      let log = folder.path("log\(number)")
      expectDone(try Command.run("append \(log)", input: lines.text))
      return try Files.bytes("\(log)/seg-00000000000000000000.bdl").count
    }
    #expect(Set(sizes).count == 1, "\(sizes)")
  }

  @Test("events of an earlier command are compared too: an id with other content is told")
  func differing() throws {
    let lines = Samples.decisions(0..<2, ids: true)
    expectDone(try Command.run("append \(log)", input: lines.text))
    let other = [lines[0], lines[1].replacing("checkout", with: "search")]
    let result = try Command.run("append \(log)", input: other.text)
    expectDone(result)
    #expect(result.messages.contains("duplicates 1, refused 1 (id of another event)"))
    #expect(result.messages.contains(#"the first "e1""#))
  }

  @Test("a bad line: those before it are stored and acknowledged, the place is named")
  func badLine() throws {
    let lines = Samples.decisions(0..<3)
    let input = (lines + [#"{"type":"decision"}"#] + Samples.decisions(3..<5)).text
    let result = try Command.run("append \(log) --ack", input: input)
    #expect(result.exitCode == 65)
    #expect(result.lines == ["ack 2"])
    #expect(result.messages.contains("standard input: line 4 (byte \(lines.text.utf8.count)"))
    #expect(result.messages.contains("every line before it is stored: fix it"))
    #expect(try Command.events(log) == lines)
  }

  @Test("a unit that stands for a missing one is refused, unless the option of import keeps it")
  func placeholders() throws {
    let line = Samples.decisions(0..<1)[0].replacing(#""unit":"u0""#, with: #""unit":"(not set)""#)
    expectFailure(
      try Command.run("append \(log)", input: line), 65, says: #"the unit "(not set)""#,
      "--keep-placeholder-units")
    expectDone(try Command.run("append \(log) --keep-placeholder-units", input: line))
    #expect(try Command.events(log) == [line])
  }

  @Test("appending is not importing: equal lines without an id are as many events as they are")
  func appendsAll() throws {
    let line = Samples.decisions(0..<1)[0]
    for _ in 0..<2 { expectDone(try Command.run("append \(log)", input: line + "\n")) }
    #expect(try Command.events(log) == [line, line])
  }

  @Test("a second writer is turned away and told who holds the log, which can be read meanwhile")
  func twoWriters() throws {
    let lines = Samples.decisions(0..<2)
    let input = try folder.write(Samples.decisions(2..<4).text, "a.jsonl")
    let holder = try Command.start(["append", log, "--ack"])
    holder.send(lines[0] + "\n")
    _ = try holder.waitForLines(1)

    let name = "process \(holder.process)"
    expectFailure(
      try Command.run("append \(log) --ack", input: lines[1]), 75, says: log,
      "another writer holds the log", name, "wait for it to end")
    expectFailure(
      try Command.run("import \(input) --log \(log)"), 75, says: "another writer", name)
    #expect(try Command.events(log) == [lines[0]])
    expectDone(try Command.run("report rewards \(log)"))
    expectDone(try Command.run("log verify \(log)"))

    holder.send(lines[1] + "\n")
    expectDone(try holder.finish())
    #expect(try Command.events(log) == lines)
    expectDone(try Command.run("import \(input) --log \(log)"))
  }

  @Test(
    "whatever was acknowledged before the process is killed is in the log, which goes on from there",
    arguments: 1...8 as ClosedRange<UInt64>)
  func killed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lines = Samples.decisions(0..<3_000)
    let command = try Command.start(["append", log, "--ack"])
    var sent = 0
    for piece in 1...random.index(12) + 2 {
      let count = random.index(200) + 1
      command.send(lines[sent..<sent + count].text)
      sent += count
      if piece % 2 == 1 { _ = try command.waitForLines(1) }
    }
    // Between none and a few milliseconds into the work on what was sent last.
    let moment = random.index(3_000)
    command.send(lines[sent..<sent + 400].text)
    sent += 400
    try? command.waitUntilRead()
    usleep(UInt32(moment))
    command.signal(SIGKILL)
    let result = try command.wait()
    #expect(result.exitCode == -SIGKILL)
    let acknowledged = result.lines.last.flatMap { Int($0.dropFirst(4)) } ?? -1

    let stored = try Command.events(log)
    #expect(stored.count > acknowledged, "seed \(seed)")
    #expect(stored == Array(lines.prefix(stored.count)), "seed \(seed)")
    let rest = Array(lines[stored.count..<stored.count + 50])
    expectDone(try Command.run("append \(log)", input: rest.text))
    #expect(try Command.events(log) == stored + rest, "seed \(seed)")
    expectDone(try Command.run("log verify \(log)"))
  }

  @Test("an event whose id is there already is passed over, counted and acknowledged")
  func once() throws {
    let lines = Samples.decisions(0..<6, ids: true)
    expectDone(try Command.run("append \(log)", input: lines.prefix(4).text))
    let again = try Command.start(["append", log, "--ack"])
    again.send(lines.prefix(2).text)
    #expect(try again.waitForLines(1) == "ack 3")
    again.send((lines.suffix(3) + lines.prefix(1)).text)
    #expect(try again.waitForLines(2) == "ack 5")
    let result = try again.finish()
    expectDone(result)
    #expect(result.messages == "bandolier: appended 2 events, duplicates 4\n")
    #expect(try Command.events(log) == lines)

    let all = try Command.run("append \(log) --allow-duplicates", input: lines.prefix(2).text)
    #expect(all.messages == "bandolier: appended 2 events, duplicates 0\n")
    #expect(try Command.events(log) == lines + lines.prefix(2))
  }

  @Test(
    "a producer that is killed again and again, and sends everything again, has each event there once",
    arguments: 1...4 as ClosedRange<UInt64>)
  func resends(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lines = Samples.decisions(0..<1_500, ids: true)
    for _ in 0..<3 {
      let command = try Command.start(["append", log, "--ack"])
      command.send(lines.prefix(500 + random.index(1_000)).text)
      try? command.waitUntilRead()
      usleep(UInt32(random.index(6_000)))
      command.signal(SIGKILL)
      _ = try command.wait()
    }
    let result = try Command.run("append \(log) --ack", input: lines.text)
    expectDone(result)
    #expect(result.lines.last == "ack 1499", "seed \(seed)")
    #expect(try Command.events(log) == lines, "seed \(seed)")
    expectDone(try Command.run("log verify \(log)"))
  }

  @Test("Ctrl-C ends it at a whole event, also while it waits for more, and what came is stored")
  func interrupted() throws {
    let lines = Samples.decisions(0..<20)
    let command = try Command.start(["append", log, "--ack"])
    command.send(lines.text)
    #expect(try command.waitForLines(1) == "ack 19")
    command.signal(SIGINT)
    let result = try command.wait()
    #expect(result.exitCode == 130)
    #expect(result.messages == "bandolier: error: interrupted\n")
    #expect(try Command.events(log) == lines)
  }
}
