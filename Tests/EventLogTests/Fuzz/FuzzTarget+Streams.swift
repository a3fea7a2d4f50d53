import Events

@testable import EventLog

/// The streams: what is read must be written and read again the same.
extension FuzzTarget {
  /// As many values as the stream announces, up to what a frame holds.
  private static func count(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= StreamHeader.byteCount else { return 0 }
    return Int(min(bytes.littleEndian(UInt32.self, at: 4), 70_000))
  }

  static func integers(_ bytes: [UInt8]) throws {
    let count = count(bytes)
    guard let values = try? IntegerStream.read(bytes[...], count: count, as: Int64.self) else {
      return
    }
    try require(values.count == count, "\(values.count) values, not \(count)")
    let narrow = try IntegerStream.read(bytes[...], count: count, as: UInt32.self)
    try require(
      narrow == values.map { UInt32(truncatingIfNeeded: $0) }, "32 bits read other values")
    let bits = try IntegerStream.read(bytes[...], count: count, as: UInt8.self)
    try require(bits == values.map { UInt8(truncatingIfNeeded: $0) }, "8 bits read other values")
    var written: [UInt8] = []
    IntegerStream.write(values, to: &written)
    let again = try IntegerStream.read(written[...], count: count, as: Int64.self)
    try require(again == values, "other values when written again")
  }

  static func numbers(_ bytes: [UInt8]) throws {
    let count = count(bytes)
    guard let numbers = try? NumberStream.read(bytes[...], count: count) else { return }
    try require(numbers.count == count, "\(numbers.count) numbers, not \(count)")
    var written: [UInt8] = []
    NumberStream.write(numbers, to: &written)
    let again = try NumberStream.read(written[...], count: count)
    try require(
      again.map(\.bitPattern) == numbers.map(\.bitPattern), "other numbers when written again")
  }

  static func texts(_ bytes: [UInt8]) throws {
    let count = count(bytes)
    guard let texts = try? TextStream.read(bytes[...], count: count) else { return }
    try require(texts.count == count, "\(texts.count) texts, not \(count)")
    var written: [UInt8] = []
    TextStream.write(texts, to: &written)
    try require(try TextStream.read(written[...], count: count) == texts, "other texts")
    var table = NameTable(firstCode: 2)
    for index in 0..<count {
      let code = table.intern(texts[index])
      try require(table[code] == texts[index], "code \(code) has another name")
      try require(table.code(of: texts[index]) == code, "name \(index) has another code")
    }
  }

  static func bitmap(_ bytes: [UInt8]) throws {
    guard bytes.count >= 4 else { return }
    let count = Int(bytes.littleEndian(UInt32.self, at: 0) % 70_000)
    var reader = LittleEndianReader(bytes[4...])
    guard let bitmap = try? Bitmap.read(&reader, count: count) else { return }
    var rows = 0
    bitmap.forEachSet { rows += bitmap[$0] ? 1 : 0 }
    try require(rows == bitmap.setCount, "\(rows) rows are set, not \(bitmap.setCount)")
    try require(Bitmap(count: count) { bitmap[$0] } == bitmap, "not the bitmap of its rows")
    var written: [UInt8] = []
    bitmap.write(to: &written)
    try require(written[...] == bytes[4..<4 + written.count], "not written as it was read")
  }

  static func attributes(_ bytes: [UInt8]) throws {
    for role in [AttributeRole.context, .features] {
      let shape = try? AttributeShape(
        bytes[...], role: role, attributeLimit: 100, variantLimit: 10)
      try require((shape?.valueCount ?? 0) <= bytes.count, "more values than bytes")
    }
    var record = EventRecord()
    if let list = try? AttributeLiteral.read(bytes[...], into: &record) {
      var written: [UInt8] = []
      AttributeLiteral.write(list[...], of: record, to: &written)
      var copy = EventRecord()
      let again = try AttributeLiteral.read(written[...], into: &copy)
      var twice: [UInt8] = []
      AttributeLiteral.write(again[...], of: copy, to: &twice)
      try require(written == twice, "other attributes when written again")
    }
    record = EventRecord()
    guard (try? AttributeLiteral.readFeatures(bytes[...], into: &record)) != nil else { return }
    var written: [UInt8] = []
    AttributeLiteral.writeFeatures(of: record, to: &written)
    var copy = EventRecord()
    try AttributeLiteral.readFeatures(written[...], into: &copy)
    var twice: [UInt8] = []
    AttributeLiteral.writeFeatures(of: copy, to: &twice)
    try require(written == twice, "other features when written again")
  }

  static func deflate(_ bytes: [UInt8]) throws {
    guard bytes.count >= 4 else { return }
    let announced = Int(bytes.littleEndian(UInt32.self, at: 0) % (1 << 26))
    let stored = Array(bytes[4...])
    guard let raw = try? Deflate.decompress(stored.span, rawCount: announced) else { return }
    try require(raw.count == announced, "\(raw.count) bytes, not \(announced)")
    for strategy in [Deflate.Strategy.standard, .huffmanOnly, .runLength] {
      let packed = Deflate.compress(raw, level: 1, strategy: strategy)
      try require(
        try Deflate.decompress(packed.span, rawCount: raw.count) == raw, "other bytes come out")
    }
    for wrong in [announced - 1, announced + 1] where wrong >= 0 {
      let other = try? Deflate.decompress(stored.span, rawCount: wrong)
      try require(other == nil, "\(wrong) bytes come out too")
    }
  }
}
