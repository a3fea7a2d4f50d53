import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Appending many events at once")
struct LogWriterRecordsTests {
  private func records(seed: UInt64, _ count: Int) throws -> [EventRecord] {
    var generator = EventGenerator(seed: seed)
    return try generator.events(count).map { event in
      var record = EventRecord()
      try record.load(event)
      return record
    }
  }

  @Test("gives the same bytes as one by one, also over many frames", arguments: 0..<12)
  func sameBytes(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var options = LogOptions(seed: seed)
    options.frameRowCount = seed % 2 == 0 ? 65_536 : 100
    let records = try records(seed: seed, 1_000)
    let single = try LogWriter(folder.path + "/single", options: options)
    for record in records { try single.append(record) }
    let many = try LogWriter(folder.path + "/many", options: options)
    let half = Int(seed) * 41
    #expect(try many.append(contentsOf: Array(records[..<half])) == 0)
    #expect(try many.append(contentsOf: Array(records[half...])) == UInt64(half))
    #expect(try many.append(contentsOf: []) == 1_000)
    #expect(try single.commit() == many.commit())
    let name = "/" + SegmentHeader.fileName(basePosition: 0)
    let expected = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/single" + name))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/many" + name))
    #expect(bytes == expected, "seed \(seed)")
    #expect(try LogReader(folder.path + "/many").allEvents().count == 1_000)
  }

  /// A digest of the streams before DEFLATE, whose bytes depend on zlib's version. It changes only when the writer
  /// chooses another encoding, as it did when times and units became `patchedDelta`, or when other events are drawn.
  @Test("the columns of an event never change: the digest of the streams of 5,000 events")
  func digest() throws {
    var names = NameRegister(units: UnitRegister(path: "/tmp"))
    var batch = BatchBuilder()
    for record in try records(seed: 2_026, 5_000) { try batch.append(record, names: &names) }
    batch.finish()
    var bytes: [UInt8] = []
    for column in batch.columns.integers { IntegerStream.write(column.values, to: &bytes) }
    for texts in [batch.columns.ids, batch.columns.configurations, batch.columns.unknowns] {
      TextStream.write(texts.texts, to: &bytes)
    }
    for numbers in [batch.columns.propensities, batch.columns.values, batch.columns.revenues] {
      NumberStream.write(numbers.numbers, to: &bytes)
    }
    NumberStream.write(batch.columns.probabilities, to: &bytes)
    for values in batch.columns.attributes {
      bytes.appendLittleEndian(values.key)
      IntegerStream.write(values.integers, to: &bytes)
      NumberStream.write(values.numbers, to: &bytes)
      TextStream.write(values.literals, to: &bytes)
    }
    for names in names.unpublished { TextStream.write(names.texts, to: &bytes) }
    #expect(Checksum.crc32c(bytes) == 301_147_490)
  }
}
