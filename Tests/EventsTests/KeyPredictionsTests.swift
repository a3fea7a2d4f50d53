import TestSupport
import Testing

@testable import Events

@Suite("Key predictions")
struct KeyPredictionsTests {
  /// What a decoder makes of a line: the line of the event that it reads, or the error.
  private static func outcome(
    _ decoder: inout JSONLinesDecoder, _ record: inout EventRecord, _ line: [UInt8]
  ) -> Result<[UInt8], JSONLineError> {
    do throws(JSONLineError) {
      try decoder.decode(line.span, into: &record)
      var bytes: [UInt8] = []
      JSONLinesEncoder.append(record, to: &bytes)
      return .success(bytes)
    } catch {
      return .failure(error)
    }
  }

  /// Lines that begin alike: of one event and of others of its kind, complete, changed in one byte, cut, repeated in
  /// part, and spelled in many ways.
  private static func lines(_ seed: UInt64) throws -> [[UInt8]] {
    var events = RandomEvents(seed: seed)
    return try (0..<60).map { _ in
      let event = events.event()
      var record = EventRecord()
      try record.load(event)
      var line: [UInt8] = []
      JSONLinesEncoder.append(record, to: &line)
      if line.last == UInt8(ascii: "\n") { line.removeLast() }
      let place = Int.random(in: 0..<line.count, using: &events.generator)
      switch Int.random(in: 0..<10, using: &events.generator) {
      case 0: line[place] = UInt8.random(in: 0x20..<0x7F, using: &events.generator)
      case 1: line.remove(at: place)
      case 2: line.insert(UInt8(ascii: " "), at: place)
      case 3: line.removeLast(place)
      case 4: line = line.dropLast() + [UInt8(ascii: ",")] + line.dropFirst()
      case 5:
        line = Array(
          PlainJSON(event).shuffled(using: &events.generator)
            .spelled(using: &events.generator).utf8)
      case 6: line = Array(PlainJSON(event).spelled(using: &events.generator).utf8)
      default: break
      }
      return line
    }
  }

  @Test(
    "a decoder that read other lines reads a line as a new one does", arguments: UInt64(0)..<150)
  func identical(seed: UInt64) throws {
    let lines = try Self.lines(seed)
    var generator = SeededGenerator(seed: seed)
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    for line in (lines + lines + lines).shuffled(using: &generator) {
      var twin = JSONLinesDecoder()
      var fresh = EventRecord()
      let expected = Self.outcome(&twin, &fresh, line)
      let found = Self.outcome(&decoder, &record, line)
      #expect(found == expected, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test("more keys than are kept, and more at a place, are read all the same")
  func manyKeys() throws {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    for number in 0..<2_000 {
      let key = String(repeating: "k", count: number % 40) + "\(number % 700)"
      let line =
        #"{"type":"goal","time":1,"unit":"u","\#(key)":\#(number),"experiment":"e","goal":"g"}"#
      try decoder.decode(Array(line.utf8).span, into: &record)
      #expect(record.string(.unknown) == #""\#(key)":\#(number)"#)
      #expect(record.string(.goal) == "g")
    }
  }

  @Test("finds the text of a key of any length, and no other")
  func texts() {
    for length in 4...32 {
      var predictions = KeyPredictions()
      let text = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
      let line = Array("xy".utf8) + text + Array("z".utf8)
      let place = predictions.add(
        2..<2 + length, quote: 3, .unit, at: KeyPredictions.start, line.span)
      #expect(place > 0)
      let index = predictions.match(KeyPredictions.start, at: 2, line.span)
      #expect(index.map { predictions[$0].count } == length)
      #expect(index.map { predictions[$0].quote } == 1)
      #expect(predictions.match(place, at: 2, line.span) == nil)
      let cut = Array(line.prefix(length + 1))
      #expect(predictions.match(KeyPredictions.start, at: 2, cut.span) == nil)
      for offset in 0..<length {
        var other = line
        other[2 + offset] ^= 1
        #expect(predictions.match(KeyPredictions.start, at: 2, other.span) == nil)
      }
    }
  }
}
