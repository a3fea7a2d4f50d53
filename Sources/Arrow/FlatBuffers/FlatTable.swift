/// A table of a FlatBuffer that comes from outside: every position is checked before it is read.
struct FlatTable {
  private let bytes: ArraySlice<UInt8>
  private let place: Int
  private let virtual: Int
  private let virtualSize: Int

  /// Finds the root table of a buffer.
  ///
  /// - Throws: ``ArrowError`` `malformed` if a position is outside of the buffer.
  init(root bytes: ArraySlice<UInt8>) throws(ArrowError) {
    let offset = try Self.load(bytes, bytes.startIndex, as: UInt32.self)
    try self.init(bytes, at: bytes.startIndex + Int(offset))
  }

  private init(_ bytes: ArraySlice<UInt8>, at place: Int) throws(ArrowError) {
    self.bytes = bytes
    self.place = place
    let distance = try Self.load(bytes, place, as: Int32.self)
    virtual = place - Int(distance)
    virtualSize = Int(try Self.load(bytes, virtual, as: UInt16.self))
    guard virtualSize >= 4, virtual >= bytes.startIndex, virtual + virtualSize <= bytes.endIndex
    else { throw Self.outside }
  }

  private static let outside = ArrowError(
    .malformed, "its metadata is damaged: a position is outside of it; write the stream again")

  private static func load<Value: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, _ place: Int, as type: Value.Type
  ) throws(ArrowError) -> Value {
    let size = Value.bitWidth / 8
    guard place >= bytes.startIndex, place <= bytes.endIndex - size else { throw outside }
    var value: Value = 0
    for index in 0..<size {
      value |= Value(truncatingIfNeeded: bytes[place + index]) << (8 * index)
    }
    return value
  }

  /// The position of a field; nil if it has its default value.
  private func position(_ slot: Int) throws(ArrowError) -> Int? {
    guard 4 + 2 * slot + 2 <= virtualSize else { return nil }
    let offset = try Self.load(bytes, virtual + 4 + 2 * slot, as: UInt16.self)
    return offset == 0 ? nil : place + Int(offset)
  }

  /// Returns a number of any width, or its default.
  func integer<Value: FixedWidthInteger>(_ slot: Int, default value: Value) throws(ArrowError)
    -> Value
  {
    guard let position = try position(slot) else { return value }
    return try Self.load(bytes, position, as: Value.self)
  }

  /// Returns a truth value; false by default.
  func flag(_ slot: Int) throws(ArrowError) -> Bool {
    try integer(slot, default: UInt8(0)) != 0
  }

  private func target(_ slot: Int) throws(ArrowError) -> Int? {
    guard let position = try position(slot) else { return nil }
    return position + Int(try Self.load(bytes, position, as: UInt32.self))
  }

  /// Returns a table; nil if there is none.
  func table(_ slot: Int) throws(ArrowError) -> FlatTable? {
    guard let target = try target(slot) else { return nil }
    return try FlatTable(bytes, at: target)
  }

  /// Returns a text; nil if there is none.
  ///
  /// - Throws: ``ArrowError``, `malformed` if it is not UTF-8 and `tooLarge` if it is longer than a limit.
  func text(_ slot: Int, limit: Int = 4_096) throws(ArrowError) -> String? {
    guard let target = try target(slot) else { return nil }
    let count = Int(try Self.load(bytes, target, as: UInt32.self))
    guard count <= bytes.endIndex - target - 4 else { throw Self.outside }
    guard count <= limit else {
      throw ArrowError(.tooLarge, "a name of \(count) bytes; the longest may have \(limit)")
    }
    guard let text = String(validating: bytes[target + 4..<target + 4 + count], as: UTF8.self)
    else { throw ArrowError(.malformed, "a name in its metadata is not UTF-8") }
    return text
  }

  /// Returns the position of the first element of a vector and their number; nil if there is none.
  private func vector(_ slot: Int, elementSize: Int) throws(ArrowError) -> (start: Int, count: Int)? {
    guard let target = try target(slot) else { return nil }
    let count = Int(try Self.load(bytes, target, as: UInt32.self))
    guard count <= (bytes.endIndex - target - 4) / elementSize else { throw Self.outside }
    return (target + 4, count)
  }

  /// Returns the tables of a vector; empty if there is none.
  ///
  /// - Throws: ``ArrowError``, `tooLarge` if there are more than a limit. Tables may be stored once and named often, so
  ///   that the size of the buffer is none.
  func tables(_ slot: Int, limit: Int) throws(ArrowError) -> [FlatTable] {
    guard let (start, count) = try vector(slot, elementSize: 4) else { return [] }
    guard count <= limit else {
      throw ArrowError(
        .tooLarge, "\(count) columns or remarks, more than the \(limit) that are read")
    }
    var tables: [FlatTable] = []
    for index in 0..<count {
      let position = start + 4 * index
      let offset = Int(try Self.load(bytes, position, as: UInt32.self))
      tables.append(try FlatTable(bytes, at: position + offset))
    }
    return tables
  }

  /// Returns the 8-byte integers of a vector of structs, or of integers; empty if there is none.
  func words(_ slot: Int, perElement: Int) throws(ArrowError) -> [Int64] {
    guard let (start, count) = try vector(slot, elementSize: 8 * perElement) else { return [] }
    var words: [Int64] = []
    words.reserveCapacity(count * perElement)
    for index in 0..<count * perElement {
      words.append(try Self.load(bytes, start + 8 * index, as: Int64.self))
    }
    return words
  }
}
