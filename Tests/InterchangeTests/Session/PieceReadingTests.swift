import Arrow
import Events
import TestSupport
import Testing
import Threads

@testable import Interchange

@Suite("Reading pieces of an input at the same time")
struct PieceReadingTests {
  private let filter: DuplicateFilter
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    filter = DuplicateFilter(directory: folder.path, memoryCapacity: 500)
  }

  /// Reads an input as a whole and in pieces of a few sizes, by one thread and by several.
  private func compare(
    _ text: [UInt8], _ note: String, _ random: inout SeededGenerator, _ open: FuzzedImport.Opening
  ) throws -> Int {
    let portion = [7, 100, 5_000][random.index(3)]
    let stops = random.chance(0.2)
    func source() throws(ImportError) -> any RecordSource {
      try open(ByteSource(PortionedInput(text, portion: portion)))
    }
    guard let first = try? source() else { return 0 }
    let expected = ReadOutcome.alone(first, filter, stops: stops)
    for threads in [1, 2, 5] {
      // A file that does not begin with a line of JSON is read as a whole.
      guard let pieces = try source() as? any PieceSource else { return 0 }
      let size = [1, 40, 300, 2_000][random.index(4)]
      let read = ReadOutcome.inPieces(pieces, filter, stops: stops, threads: threads, pieceSize: size)
      let outcome = try #require(read)
      if stops, expected.failure == "stopped" {
        #expect(outcome.events == expected.events && outcome.rejected == expected.rejected, "\(note)")
      } else {
        #expect(
          outcome == expected,
          "\(note), \(threads) threads, pieces of \(size):\n\(String(decoding: text, as: UTF8.self))")
      }
    }
    return expected.events.count
  }

  @Test("random tables, with quotes, broken quotes, blank lines and times of any notation", arguments: UInt64(0)..<6)
  func tables(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var table = RandomTable(seed: seed)
    var events = 0
    for number in 0..<150 {
      let (entries, text) = table.next()
      guard let mapping = try? EventMapping(entries) else { continue }
      events += try compare(text, "seed \(seed), table \(number), \(entries)", &random) { (input) throws(ImportError) in
        try OwnTable.open(input, MappedReader(mapping, experiment: "e"))
      }
    }
    #expect(events > 100, "seed \(seed)")
  }

  /// Lines of which each is drawn from some, and a few are damaged.
  private func lines(_ random: inout SeededGenerator, _ line: (Int, inout SeededGenerator) -> String) -> [UInt8] {
    var text: [UInt8] = []
    for number in 0..<random.index(60) {
      var bytes = Array(line(number, &random).utf8)
      if random.chance(0.03), !bytes.isEmpty { bytes[random.index(bytes.count)] = UInt8(random.index(256)) }
      text += bytes + (random.chance(0.1) ? [0x0D, 0x0A] : [0x0A])
      if random.chance(0.05) { text += [0x20, 0x0A] }
    }
    if random.chance(0.3), !text.isEmpty { text.removeLast() }
    return text
  }

  private func time(_ usual: Int, _ random: inout SeededGenerator) -> String {
    let (seconds, other) = (1_770_000_000 + random.index(1_000), random.chance(0.04))
    return switch (usual + (other ? 1 : 0)) % 4 {
    case 0: "\(seconds)"
    case 1: "\(seconds)000"
    case 2: "\"2026-02-02T10:00:\(10 + random.index(50))Z\""
    default: "0"
    }
  }

  @Test("lines of Segment, whose numbers have the unit of the first", arguments: UInt64(0)..<4)
  func segment(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var events = 0
    for number in 0..<60 {
      let usual = random.index(4)
      let text = lines(&random) { number, random in
        let time = time(usual, &random)
        return
          #"{"type":"track","event":"Experiment Viewed","messageId":"m\#(number)","userId":"u","timestamp":\#(time),"#
          + #""receivedAt":\#(self.time(usual + 1, &random)),"properties":{"experiment_id":"e","variation_id":"a"}}"#
      }
      events += try compare(text, "seed \(seed), file \(number)", &random) { (input) throws(ImportError) in
        try Segment.open(input, ShapedReader(Segment.shapes))
      }
    }
    #expect(events > 100)
  }

  @Test("lines of dsjson without a time, which have that of the last one with a time", arguments: UInt64(0)..<4)
  func decisionService(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var events = 0
    for number in 0..<60 {
      let timed = [0, 0.2, 0.9, 1][random.index(4)]
      let text = lines(&random) { number, random in
        let time = random.chance(timed) ? #""Timestamp":"2026-02-02T10:00:\#(10 + number % 50)Z","# : ""
        return #"{"EventId":"e\#(number)",\#(time)"_label_cost":-1,"_label_probability":0.5,"a":[1,2],"p":[0.5,0.5],"#
          + #""c":{"_multi":[{"x":1},{"x":2}]}}"#
      }
      let path = try folder.write(String(decoding: text, as: UTF8.self), "log-\(number).json")
      let input = ImportInput(
        path: path, bytes: try ByteSource(path: path), mapping: nil, experiment: "e", waitForInput: { _ in true })
      events += try compare(text, "seed \(seed), file \(number)", &random) { (bytes) throws(ImportError) in
        try DecisionServiceJSON.open(bytes, DecisionServiceReader(input, names: .number))
      }
    }
    #expect(events > 100)
  }

  /// Opens files as a format that takes the experiment from outside.
  private func opening(_ format: some ImportFormat) -> FuzzedImport.Opening {
    { (bytes) throws(ImportError) in
      try format.open(
        ImportInput(path: "x", bytes: bytes, mapping: nil, experiment: "e", waitForInput: { _ in true }))
    }
  }

  @Test("events of several lines, and lines whose units are their numbers", arguments: UInt64(0)..<4)
  func blocks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var events = [0, 0, 0]
    for number in 0..<40 {
      let isOneLine = random.chance(0.3)
      let wabbit = lines(&random) { number, random in
        if isOneLine { return "\(1 + random.index(3)):\(random.index(2)):0.5 |a x:\(number)" }
        let shared = random.chance(0.5) ? "shared |u a:\(number)\n" : ""
        return shared + "0:\(random.index(2)):0.5 |x a\n|x b" + (random.chance(0.9) ? "\n" : "")
      }
      let criteo = lines(&random) { number, random in
        let (slots, candidates) = (1 + random.index(2), 2 + random.index(3))
        let count = candidates + (random.chance(0.05) ? 1 : 0)
        let lines = (0..<count).map { "\($0 == 0 ? 1 : 0) exid:\(number) 11:\($0)" }
        return (["example \(number): h 1 0.5 \(slots) \(candidates) 1:3 2:4"] + lines).joined(separator: "\n")
          + (random.chance(0.8) ? "\n" : "")
      }
      let yahoo = lines(&random) { number, random in
        "12411609\(10 + number) id-\(random.index(3)) \(random.index(2)) |user 1 9 |id-0 |id-1 |id-2"
      }
      let note = "seed \(seed), file \(number)"
      events[0] += try compare(wabbit, note, &random, opening(VowpalWabbitText()))
      events[1] += try compare(criteo, note, &random, opening(Criteo()))
      events[2] += try compare(yahoo, note, &random, opening(YahooR6B()))
    }
    #expect(events.allSatisfy { $0 > 100 }, "seed \(seed): \(events)")
  }

  @Test("records of JSON in a list, in a list of an object, or one after another", arguments: UInt64(0)..<6)
  func texts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var events = 0
    for number in 0..<80 {
      let usual = random.index(4)
      let separators = [", ", ",\n", "\n\n", " ,\r\n\t"]
      var text = ["[", "[\n", #"{"data" : ["#, ""][random.index(4)]
      let end = text.isEmpty ? "" : text.hasPrefix("{") ? #"], "more": {"a": [1]}}"# : "]"
      for record in 0..<random.index(40) {
        if record > 0 { text += separators[random.index(4)] }
        text +=
          random.chance(0.05)
          ? ["7", "null", "[1,2]", #""a""#, "{}", #"{"data":[]}"#][random.index(6)]
          : #"{"eventName":"statsig::experiment_exposure",\#n"time":\#(time(usual, &random)),"#
            + #""user":{"userID":"u\#(record)"},"metadata":{"config":"e","ruleID":"a"}}"#
      }
      var bytes = Array((text + (random.chance(0.1) ? "" : end)).utf8)
      if random.chance(0.2), !bytes.isEmpty { bytes[random.index(bytes.count)] = UInt8(random.index(128)) }
      events += try compare(bytes, "seed \(seed), file \(number)", &random) { (input) throws(ImportError) in
        try Statsig.open(input, StatsigReader())
      }
    }
    #expect(events > 100, "seed \(seed)")
  }

  @Test("rows of an Arrow stream, whole or cut off", arguments: UInt64(0)..<4)
  func rows(seed: UInt64) throws {
    var (random, generator) = (SeededGenerator(seed: seed), EventGenerator(seed: seed))
    var events = 0
    for number in 0..<12 {
      let log = try ArrowLog(generator.events(1 + random.index(900)), frameRowCount: 1 + random.index(400))
      var stream = try log.exported()
      if random.chance(0.2) { stream.removeLast(random.index(stream.count)) }
      events += try compare(stream, "seed \(seed), stream \(number)", &random, Self.openEvents)
    }
    #expect(events > 1_000)
  }

  @Test("rows with times of any notation, and invalid ones", arguments: UInt64(0)..<4)
  func timedRows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let mapping = try EventMapping(["time=time", "unit=unit", "variant=v"])
    var events = (own: 0, mapped: 0)
    for number in 0..<40 {
      let (count, usual) = (1 + random.index(60), random.index(4))
      func column(_ text: () -> String?) -> ArrowArray { ArrowTable.array((0..<count).map { _ in text() }) }
      let times = column { self.time(usual, &random).filter { $0 != "\"" } }
      let table = ArrowTable(count).adding(ArrowField("time", .utf8), times)
        .adding(ArrowField("unit", .utf8), column { random.chance(0.1) ? nil : "u" })
      let own = table.adding(ArrowField("type", .utf8), column { random.chance(0.1) ? "none" : "dataPoint" })
        .adding(ArrowField("kind", .utf8), column { "k" })
      let mapped = table.adding(ArrowField("v", .utf8), column { random.chance(0.1) ? "" : "a" })
      let note = "seed \(seed), table \(number)"
      events.own += try compare(own.bytes, note, &random, Self.openEvents)
      events.mapped += try compare(mapped.bytes, note, &random) { (input) throws(ImportError) in
        try OwnTable.open(input, MappedReader(mapping, experiment: "e"))
      }
    }
    #expect(events.own > 100 && events.mapped > 100, "seed \(seed)")
  }

  private static func openEvents(_ bytes: ByteSource) throws(ImportError) -> any RecordSource {
    let input = try ArrowInput(bytes)
    return ArrowRecordSource(input, ArrowEventReader(try ArrowEventFields(input.schema, "input")))
  }

  @Test("rows that share long texts of a dictionary are read a few at a time")
  func longTexts() throws {
    var field = ArrowField("unit", .utf8)
    field.dictionary = ArrowDictionaryEncoding(id: 1)
    let units = ArrowArray((0..<1_000).map { Int32($0 % 2) })
    let long = ArrowTable.array(["short", String(repeating: "x", count: 100_000)])
    let stream = ArrowTable(1_000).adding(field, units).bytes(long)
    var input = try ArrowInput(try ByteSource(PortionedInput(stream, portion: 1_000)))
    let batch = try #require(try input.next())
    var piece = ArrowPiece(batch, nil, textBefore: 7)
    var rows = 0
    while !piece.rows.isEmpty {
      let part = piece.take(512, size: 150_000)
      #expect(part.rows.count <= 5 && part.rows.lowerBound == rows)
      rows += part.rows.count
    }
    let (texts, rest): (Int64, Int64) = (500 * 100_005, 1_000 * 12)
    #expect(rows == 1_000 && piece.textBytes == 7 + texts + rest)
  }

  @Test("what cannot be read on is told behind all records before it")
  func broken() throws {
    let line = #"{"type":"dataPoint","kind":"k","time":"2026-02-02T10:00:00Z","unit":"u"}"# + "\n"
    let text = Array(String(repeating: line, count: 50).utf8)
    let source = LineSource(try ByteSource(FailingInput(text)), SegmentLines())
    let expected = ReadOutcome.alone(source, filter)
    let again = LineSource(try ByteSource(FailingInput(text)), SegmentLines())
    let outcome = try #require(ReadOutcome.inPieces(again, filter, threads: 3, pieceSize: 500))
    #expect(outcome.rejected == expected.rejected && outcome.failure == expected.failure)
    #expect(outcome.rejected.count == 50 && outcome.failure?.contains("gone") == true)
  }

  @Test("an import that stops leaves no thread at work")
  func cancelled() throws {
    let line = #"{"type":"dataPoint","kind":"k","time":"2026-02-02T10:00:00Z","unit":"u"}"# + "\n"
    let path = try folder.write(String(repeating: line, count: 20_000), "events.jsonl")
    let source = try #require(try Importer(format: JSONLines()).open(path) as? any PieceSource)
    func start(_ source: some PieceSource) throws {
      let reader = RecordBatchReader(source, filter.inspector, stopsAtRejected: true)
      let pieces = try #require(PieceReading(reader, threads: 4, pieceSize: 1_000))
      _ = pieces.next()
      pieces.cancel()
    }
    try start(source)
  }
}

/// Rejects every line.
private struct SegmentLines: RecordLineReader, PieceReader {
  var times = InputTimes()

  func read(_ line: Span<UInt8>, into record: inout ImportedRecord) throws(Rejection) {
    throw Rejection(.event, "\(line.count) bytes")
  }
}

/// An input that fails at its end.
private final class FailingInput: ByteInput {
  let name = "file"
  let totalBytes: Int64? = nil
  var consumedBytes: Int64 { Int64(done) }
  private let bytes: [UInt8]
  private var done = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard done < bytes.count else { throw ImportError(.badData, "the rest is gone") }
    let count = min(700, buffer.count, bytes.count - done)
    unsafe buffer.copyBytes(from: bytes[done..<done + count])
    done += count
    return count
  }
}
