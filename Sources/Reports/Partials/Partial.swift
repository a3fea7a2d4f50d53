internal import EventLog
package import Replay
package import Specifications

/// The share of a part of a log in a report: the states of one pass over its units, and what must be equal for them to
/// be merged.
///
/// The same events give the same bytes, whatever their order in the log is across units.
package struct Partial: Sendable, Equatable {
  /// The version of the program, which must be equal.
  package var version: String
  /// A hash of what elementary functions return, which must be equal; see `NumericsMark`.
  package var numerics: String
  /// The report with everything that shapes its states, by names.
  package var question: String
  /// The end of the data in microseconds; nil for the latest event.
  package var dataEnd: Int64?
  /// The number of shards of the whole.
  package var shardCount: Int
  /// The shards that the states are of, from 1, ascending.
  package var shards: [Int]
  /// The events in the log; those of everyone, which every shard has, only in shard 1.
  package var eventCount: Int
  /// The latest event time in microseconds; nil without events.
  package var latest: Int64?
  /// The names in options that the log does not have, in bytewise order; nothing is missing in a log without events.
  package var missing: [String]
  /// The part of the log that could not be read.
  package var losses: [String]
  /// The events that could not be read.
  package var lostEventCount: Int
  /// The number of the first pass of ``passes``.
  package var firstPass: Int
  /// The digest of the merged partial that the passes before are from; 0 for none.
  package var given: UInt64
  /// The states of one pass, or for a merged partial of all passes so far.
  package var passes: [StatePass]

  package init(
    version: String, numerics: String, question: String, dataEnd: Int64?, shardCount: Int,
    shards: [Int], firstPass: Int, given: UInt64
  ) {
    self.version = version
    self.numerics = numerics
    self.question = question
    self.dataEnd = dataEnd
    self.shardCount = shardCount
    self.shards = shards
    self.firstPass = firstPass
    self.given = given
    (eventCount, latest, missing, losses, lostEventCount, passes) = (0, nil, [], [], 0, [])
  }

  /// The number of the pass that it has the states of.
  package var pass: Int { firstPass + passes.count - 1 }

  // MARK: Encoding

  private static let magic = Array("bandolier partial 3\n".utf8)

  /// The number that tells a partial from others with different bytes.
  package static func digest(_ bytes: [UInt8]) -> UInt64 { StableHash.of(bytes[...]) }

  /// Encodes the partial.
  package var bytes: [UInt8] {
    var writer = StateWriter()
    writer.write(bytes: Self.magic)
    for text in [version, numerics, question] { writer.write(text: text) }
    for time in [dataEnd, latest] {
      writer.write(byte: time == nil ? 0 : 1)
      writer.write(signed: time ?? 0)
    }
    writer.write(tally: shardCount)
    writer.write(tally: shards.count)
    for shard in shards { writer.write(tally: shard) }
    writer.write(tally: eventCount)
    writer.write(tally: lostEventCount)
    for texts in [missing, losses] {
      writer.write(tally: texts.count)
      for text in texts { writer.write(text: text) }
    }
    writer.write(tally: firstPass)
    writer.write(given)
    writer.write(tally: passes.count)
    for pass in passes { pass.write(to: &writer) }
    var end = StateWriter()
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      end.write(byte: UInt8(truncatingIfNeeded: Checksum.crc32c(writer.bytes) >> shift))
    }
    return writer.bytes + end.bytes
  }

  /// Decodes a partial.
  ///
  /// - Throws: `StateError` if the bytes are not a partial.
  package init(bytes: [UInt8]) throws(StateError) {
    guard bytes.starts(with: Self.magic) else {
      throw StateError("it is not a partial, which reports write with --partial")
    }
    let end = bytes.count - 4
    let sum = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[end + $1]) << (8 * UInt32($1)) }
    guard sum == Checksum.crc32c(bytes[..<end]) else {
      throw StateError("it is damaged: its checksum does not match")
    }
    var reader = StateReader(bytes, Self.magic.count..<end)
    self.init(
      version: try reader.readText(), numerics: try reader.readText(),
      question: try reader.readText(), dataEnd: nil, shardCount: 0, shards: [], firstPass: 0,
      given: 0)
    dataEnd = try Self.readTime(&reader)
    latest = try Self.readTime(&reader)
    shardCount = try reader.readTally()
    for _ in 0..<(try reader.readTally()) { shards.append(try reader.readTally()) }
    eventCount = try reader.readTally()
    lostEventCount = try reader.readTally()
    for _ in 0..<(try reader.readTally()) { missing.append(try reader.readText()) }
    for _ in 0..<(try reader.readTally()) { losses.append(try reader.readText()) }
    firstPass = try reader.readTally()
    given = try reader.read()
    for _ in 0..<(try reader.readTally()) { passes.append(try StatePass(from: &reader)) }
    guard reader.isAtEnd, !passes.isEmpty, !shards.isEmpty, UnitShard.counts ~= shardCount,
      shards.allSatisfy({ $0 >= 1 && $0 <= shardCount }), shards == Set(shards).sorted()
    else { throw StateError("it is damaged") }
  }

  private static func readTime(_ reader: inout StateReader) throws(StateError) -> Int64? {
    let isGiven = try reader.readByte() == 1
    let time = try reader.readSigned()
    return isGiven ? time : nil
  }
}

extension StateWriter {
  fileprivate mutating func write(text: String) {
    write(tally: text.utf8.count)
    write(bytes: text.utf8)
  }
}

extension StateReader {
  fileprivate mutating func readText() throws(StateError) -> String {
    String(decoding: try readBytes(try readTally()), as: UTF8.self)
  }
}
