import Events

@testable import EventLog

/// A log whose checksums are right and whose first frame lies.
struct HostileCase: Sendable, CustomStringConvertible {
  /// What reading every event of the log must come to.
  enum Outcome: Hashable, Sendable {
    /// The error of this sort.
    case refused(LogError.Code)
    /// Every event as it was written, nothing wrong.
    case unchanged
    /// Every event as it was written, but verifying finds the lie.
    case verified
  }

  var description: String
  var outcome: Outcome
  var forge: @Sendable (inout ForgedSegment) -> Void

  /// Changes bytes of a column as its decoder sees them.
  static func raw(
    _ description: String, _ column: ColumnID, _ outcome: Outcome = .refused(.damaged),
    _ change: @escaping @Sendable (inout [UInt8]) -> Void
  ) -> HostileCase {
    HostileCase(description: description, outcome: outcome) { segment in
      segment.frames[0].change(column) { chunk in
        var raw = chunk.raw
        change(&raw)
        chunk.raw = raw
      }
    }
  }

  /// Changes a column's entry in the directory or its chunk.
  static func chunk(
    _ description: String, _ column: ColumnID, _ outcome: Outcome = .refused(.damaged),
    _ change: @escaping @Sendable (inout ForgedChunk) -> Void
  ) -> HostileCase {
    HostileCase(description: description, outcome: outcome) {
      $0.frames[0].change(column, change)
    }
  }

  /// Puts a number into the frame's header.
  static func header(
    _ description: String, _ offset: Int, _ outcome: Outcome = .refused(.damaged),
    _ value: some FixedWidthInteger & Sendable
  ) -> HostileCase {
    HostileCase(description: description, outcome: outcome) {
      $0.frames[0].header.replaceLittleEndian(value, at: offset)
    }
  }

  /// Replaces a column by whole numbers that are all the same, and says so in the directory.
  static func constant(
    _ description: String, _ column: ColumnID, _ value: Int64,
    _ outcome: Outcome = .refused(.damaged)
  ) -> HostileCase {
    chunk(description, column, outcome) { chunk in
      var stream: [UInt8] = []
      StreamHeader(encoding: .constant, count: chunk.rows, base: value).write(to: &stream)
      chunk.raw = stream
      chunk.entry[3] = 0
      chunk.entry.replaceLittleEndian(value, at: 24)
      chunk.entry.replaceLittleEndian(value, at: 32)
      chunk.entry[40] = stream[0]
    }
  }

  /// Replaces the texts of a column by others, as many.
  static func texts(
    _ description: String, _ column: ColumnID, _ outcome: Outcome = .refused(.damaged),
    _ text: @escaping @Sendable (Int, ArraySlice<UInt8>) -> [UInt8]
  ) -> HostileCase {
    chunk(description, column, outcome) { chunk in
      guard let old = try? TextStream.read(chunk.raw[...], count: chunk.rows) else { return }
      var list = TextList()
      for index in 0..<old.count { list.append(text(index, old[index])) }
      var stream: [UInt8] = []
      TextStream.write(list, to: &stream)
      chunk.raw = stream
      chunk.entry[40] = stream[0]
    }
  }
}

extension HostileCase {
  /// Every lie that was thought of.
  static var all: [HostileCase] {
    widths + lengths + places + codes + numberLies + nameLies + shapeLies + headerLies + newer
  }

  private static let widths: [HostileCase] = [
    raw("a width of 65 bits", .experiment) { $0[1] = 65 },
    raw("a width of 255 bits", .experiment) { $0[1] = 255 },
    raw("a width of 0 bits where there are bits", .experiment) { $0[1] = 0 },
    raw("a difference of 65 bits", .time) { $0[32] = 65 },
    raw("a stream of 4,294,967,295 values", .experiment) {
      $0.replaceLittleEndian(UInt32.max, at: 4)
    },
    raw("a stream of no values", .time) { $0.replaceLittleEndian(0 as UInt32, at: 4) },
    chunk("a column of 4,294,967,295 values", .experiment) {
      $0.entry.replaceLittleEndian(UInt32.max, at: 44)
    },
    raw("reserved bytes of a stream", .experiment) { $0[2] = 1 },
    raw("a stream within which there is none", .experiment) { $0 = Array($0.prefix(5)) },
    raw("an empty chunk", .time) { $0 = [] },
    raw("texts where whole numbers belong", .experiment) { $0[0] = 32 },
  ]

  private static let lengths: [HostileCase] = [
    chunk("a raw length one too small", .names(.units)) { $0.lieAboutRawLength { $0 - 1 } },
    chunk("a raw length one too large", .names(.units)) { $0.lieAboutRawLength { $0 + 1 } },
    chunk("a raw length of 4 GiB", .names(.units)) { $0.lieAboutRawLength { _ in .max } },
    chunk("two lengths of a stored column", .time) {
      $0.entry.replaceLittleEndian(UInt32.max, at: 16)
    },
    chunk("a bomb: ten million zeros that were announced as 100 bytes", .time) {
      $0.raw = [UInt8](repeating: 0, count: 10_000_000)
      $0.deflate()
      $0.entry.replaceLittleEndian(100 as UInt32, at: 16)
    },
    chunk("a bomb: ten million zeros that were announced", .time) {
      $0.raw = $0.raw + [UInt8](repeating: 0, count: 10_000_000)
      $0.deflate()
    },
    chunk("rubbish that should be DEFLATE", .experiment) { $0.entry[2] = 1 },
  ]

  private static let places: [HostileCase] = [
    chunk("a chunk that begins in the header", .time) { $0.lies[8] = 0 },
    chunk("a chunk that is not aligned", .time) { $0.lies[8] = 3_004 },
    chunk("a chunk behind the frame", .time) { $0.lies[8] = .max - 7 },
    chunk("a chunk longer than the frame", .time) {
      $0.lies[12] = .max
      $0.entry.replaceLittleEndian(UInt32.max, at: 16)
    },
    HostileCase(description: "a column twice, in the same place", outcome: .unchanged) {
      var again = $0.frames[0].chunks[0]
      again.entry.replaceLittleEndian(ColumnID(rawValue: 126).rawValue, at: 0)
      $0.frames[0].chunks.append(again)
    },
  ]

  private static let codes: [HostileCase] = [
    constant("codes of experiments that are not there", .experiment, 9_999),
    constant("codes of units that are not there", .unit, 4_000_000_000),
    constant("negative codes", .variant, -1),
    constant("codes beyond 32 bits", .variant, 1 << 40),
    constant("codes of lists that are not there", .choices, 77),
    constant("codes of shapes that are not there", .context, 77),
    constant("texts of shapes that are missing", .context, 1),
    constant("texts of lists that are missing", .choices, 1),
    constant("kinds beyond 8 bits", .kind, 300),
    constant("a data point's type without values", .dataType, 3),
  ]

  private static let numberLies: [HostileCase] = [
    raw("a number of a dictionary that is not there", .attribute(.context, .number)) {
      $0[0] = 17
    },
    constant("more probabilities than there are", .probabilityCount, 1 << 32),
    HostileCase(description: "34 GB of probabilities", outcome: .refused(.damaged)) {
      let count = Int(UInt32.max)
      $0.frames[0].change(.probabilityCount) { chunk in
        // One row has them all: the column is the number of probabilities plus 1.
        var values = [Int64](repeating: 0, count: chunk.rows)
        values[0] = Int64(count) + 1
        var stream: [UInt8] = []
        IntegerStream.write(values, to: &stream)
        chunk.raw = stream
        chunk.entry.replaceLittleEndian(Int64(count) + 1, at: 32)
      }
      $0.frames[0].change(.probabilities) { chunk in
        var stream: [UInt8] = []
        StreamHeader(encoding: .constantNumber, count: count).write(to: &stream)
        chunk.raw = stream
        chunk.entry.replaceLittleEndian(UInt32(count), at: 44)
      }
    },
    decimal("a decimal exponent of 16", 1, 16), decimal("a decimal exponent of 255", 1, 255),
    decimal("4,294,967,040 exceptions of decimals", 19, 255),
    decimal("reserved bytes of decimals", 20, 1),
  ]

  private static func decimal(_ description: String, _ place: Int, _ value: UInt8) -> HostileCase {
    HostileCase(description: description, outcome: .refused(.damaged)) { segment in
      for index in segment.frames[0].chunks.indices
      where segment.frames[0].chunks[index].entry[40] == ColumnEncoding.decimal.rawValue {
        var raw = segment.frames[0].chunks[index].raw
        guard segment.frames[0].chunks[index].entry[3] == 0 else { continue }
        raw[place] = value
        segment.frames[0].chunks[index].raw = raw
      }
    }
  }

  private static let nameLies: [HostileCase] = [
    chunk("names that begin with another code", .names(.variants)) {
      $0.entry.replaceLittleEndian(2 as Int64, at: 24)
    },
    chunk("names that begin with a negative code", .names(.variants)) {
      $0.entry.replaceLittleEndian(Int64.min, at: 24)
    },
    chunk("4,294,967,295 names", .names(.variants)) {
      $0.entry.replaceLittleEndian(UInt32.max, at: 44)
    },
    chunk("4,000,000,000 names that count up", .names(.variants)) { chunk in
      var stream: [UInt8] = []
      StreamHeader(encoding: .numbered, count: 4_000_000_000).write(to: &stream)
      StreamHeader(encoding: .constant, count: 4_000_000_000).write(to: &stream)
      chunk.raw = stream
      chunk.entry.replaceLittleEndian(4_000_000_000 as UInt32, at: 44)
    },
    texts("two names alike", .names(.attributes)) { _, _ in Array("same".utf8) },
    texts("two experiments alike", .names(.experiments)) { _, _ in Array("same".utf8) },
    texts("lists of codes that are not there", .names(.lists)) { index, _ in
      [1, 100 + UInt8(index)]
    },
    texts("lists longer than they say", .names(.lists)) { index, old in old + [UInt8(index)] },
    texts("lists of 2^63 names", .names(.lists)) { index, _ in
      [UInt8](repeating: 0xFF, count: 8) + [0x7F, UInt8(index)]
    },
    texts("lists beyond what a list may be", .names(.lists)) { index, _ in
      [0x89, 0x27] + [UInt8](repeating: 1, count: 5_000) + [UInt8(index + 1)]
    },
    chunk("texts of negative lengths", .names(.units)) { $0.setLengths { _ in -1 } },
    chunk("texts of 2^62 bytes", .names(.units)) { $0.setLengths { _ in 1 << 62 } },
  ]

  private static let shapeLies: [HostileCase] = [
    texts("shapes of attributes that are not there", .names(.shapes)) { index, _ in
      [1, 200, UInt8(index + 1)]
    },
    texts("shapes of 2^40 attributes", .names(.shapes)) { index, _ in
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x20, UInt8(index)]
    },
    texts("shapes that end too early", .names(.shapes)) { index, _ in [9, UInt8(index + 4)] },
    texts("shapes with more attributes than a frame may have", .names(.shapes)) { index, _ in
      [0x80, 0x80, 0x40] + [UInt8](repeating: 4, count: 1 << 20) + [UInt8(index)]
    },
    texts("shapes of other types than the values have", .names(.shapes)) { index, old in
      [1, UInt8(4 * (index + 1) + 3)] + (old.count > 60 ? [0] : [])
    },
  ]

  private static let headerLies: [HostileCase] = [
    header("65,537 rows", 12, .refused(.damaged), 65_537 as UInt32),
    header("4,294,967,295 rows", 12, .refused(.damaged), UInt32.max),
    header("a position of 2^64 - 1", 16, .refused(.damaged), UInt64.max),
    header("durable events that come later", 88, .refused(.damaged), UInt64.max),
    header("reserved bytes", 40, .refused(.damaged), 1 as UInt32),
    header("other reserved bytes", 100, .refused(.damaged), 1 as UInt64),
    header("kinds that are not all of them", 64, .verified, 1 as UInt64),
    header("more kinds than there are", 64, .unchanged, UInt64.max),
    header("times that end too early", 32, .verified, Int64.min),
    header("times that begin too late", 24, .verified, Int64.max),
    header("experiments that are not all of them", 72, .verified, 0 as UInt64),
  ]
}

extension ForgedChunk {
  fileprivate mutating func lieAboutRawLength(_ lie: (UInt32) -> UInt32) {
    if entry[2] == 0 { deflate() }
    entry.replaceLittleEndian(lie(entry.littleEndian(UInt32.self, at: 16)), at: 16)
  }

  /// Replaces the texts by a stream whose lengths are what they are said to be.
  fileprivate mutating func setLengths(_ length: (Int) -> Int64) {
    var stream: [UInt8] = []
    StreamHeader(encoding: .text, count: rows).write(to: &stream)
    var lengths: [UInt8] = []
    IntegerStream.write((0..<rows).map(length), to: &lengths)
    stream.appendLittleEndian(UInt32(lengths.count))
    stream += lengths
    stream.pad(to: 8)
    raw = stream + Array("text".utf8)
    entry[40] = stream[0]
  }
}
