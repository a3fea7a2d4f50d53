import Arrow
import TestSupport
import Testing

@Suite("Arrow streams")
struct StreamTests {
  @Test("what is written is read back, over random batches", arguments: 0..<200)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = (0..<random.index(4)).map { _ in random.index(40) }
    let written = WrittenStream(&random, rows: rows)
    let read = try ReadStream(written.bytes)
    #expect(read.schema == WrittenStream.schema)
    #expect(read.values == written.values)
    #expect(read.isEnded)
    #expect(read.batches.map(\.count) == rows)
    let starts = rows.indices.map { Int64(rows[..<$0].reduce(0, +)) }
    #expect(read.batches.map(\.firstRow) == starts)
  }

  @Test("a dictionary that is sent again replaces the one before, for the batches behind it")
  func replacement() throws {
    let encoder = ArrowStreamEncoder(
      ArrowSchema([
        ArrowField("a", .utf8, dictionary: ArrowDictionaryEncoding(id: 1))
      ]))
    var bytes: [UInt8] = []
    encoder.appendSchema(to: &bytes)
    for name in ["x", "y"] {
      encoder.appendDictionary(1, Texts([name]).array, to: &bytes)
      encoder.appendBatch([ArrowArray([Int32(0)])], count: 1, to: &bytes)
    }
    #expect(try ReadStream(bytes).values == [["78", "79"]])
  }

  @Test("every prefix is an error or the batches so far")
  func prefixes() throws {
    var random = SeededGenerator(seed: 1)
    let written = WrittenStream(&random, rows: [3, 5])
    for count in 0..<written.bytes.count {
      do {
        let read = try ReadStream(Array(written.bytes[..<count]))
        #expect(!read.isEnded)
        for (read, all) in zip(read.values, written.values) { #expect(all.starts(with: read)) }
      } catch {
        #expect(error.code == .malformed, "\(count): \(error)")
      }
    }
  }

  @Test("every changed byte ends in values or an error", arguments: 0..<40)
  func mutations(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let written = WrittenStream(&random, rows: [random.index(9), 4])
    for _ in 0..<250 {
      var bytes = written.bytes
      for _ in 0...random.index(4) {
        bytes[random.index(bytes.count)] = random.pick(
          [0, 1, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: random.next())], or: 0)
      }
      // Reading every value reaches every offset.
      _ = try? ReadStream(bytes).values
    }
  }
}
