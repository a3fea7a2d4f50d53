internal import Events

/// Writes numbers and texts compactly, for the parts of a snapshot that are numerous.
///
/// Whole numbers take 7 bits a byte, the lowest first (LEB128); names that repeat are written once.
package struct CompactWriter {
  package private(set) var bytes: [UInt8] = []
  /// The names that were written, or that are kept elsewhere, by their numbers.
  package private(set) var names: [String] = []
  private var numbers: [TextKey: UInt64] = [:]
  private let keepsNames: Bool

  /// Creates a writer without bytes.
  ///
  /// - Parameter keepsNames: Whether the owner keeps ``names`` for the reader, so that they are not written.
  package init(keepingNames keepsNames: Bool = false) { self.keepsNames = keepsNames }

  /// Removes the bytes, and keeps the names.
  package mutating func removeBytes() { bytes.removeAll(keepingCapacity: true) }

  /// Writes a whole number.
  package mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a whole number that may be negative.
  package mutating func write(signed number: Int64) {
    write(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  /// Writes the bits of a number.
  package mutating func write(_ number: Double) {
    let bits = number.bitPattern
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
  }

  /// Writes a text.
  package mutating func write(text: String) {
    write(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// Writes a name that may repeat: its number, and the text if it is new.
  package mutating func write(name: String) {
    let key = TextKey(name)
    if let number = numbers[key] { return write(number) }
    let number = UInt64(names.count)
    numbers[key] = number
    names.append(name)
    write(number)
    if !keepsNames { write(text: name) }
  }
}

/// Reads what a ``CompactWriter`` wrote. Anything else is a problem, never a trap.
package struct CompactReader {
  private let bytes: [UInt8]
  private var place = 0
  private var names: [String] = []

  /// Creates a reader of bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - names: The names that the writer's owner kept.
  package init(_ bytes: [UInt8], names: [String] = []) {
    self.bytes = bytes
    self.names = names
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { place == bytes.count }

  private static let cut = SnapshotProblem("its compact part is damaged")

  /// Reads a whole number.
  package mutating func number() throws(SnapshotProblem) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard place < bytes.count else { throw Self.cut }
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw Self.cut
  }

  /// Reads a whole number that is used as a count or an index.
  package mutating func count() throws(SnapshotProblem) -> Int {
    guard let count = Int(exactly: try number()) else { throw Self.cut }
    return count
  }

  /// Reads a whole number that may be negative.
  package mutating func signed() throws(SnapshotProblem) -> Int64 {
    let bits = try number()
    return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
  }

  /// Reads the bits of a number.
  package mutating func double() throws(SnapshotProblem) -> Double {
    guard bytes.count - place >= 8 else { throw Self.cut }
    var bits: UInt64 = 0
    for index in 0..<8 { bits |= UInt64(bytes[place + index]) << UInt64(8 * index) }
    place += 8
    return Double(bitPattern: bits)
  }

  /// Reads a text.
  package mutating func text() throws(SnapshotProblem) -> String {
    let count = try count()
    guard count <= bytes.count - place else { throw Self.cut }
    let slice = bytes[place..<place + count]
    place += count
    guard let text = String(validating: slice, as: UTF8.self) else { throw Self.cut }
    return text
  }

  /// Reads a name that may repeat.
  package mutating func name() throws(SnapshotProblem) -> String {
    let number = try count()
    if number < names.count { return names[number] }
    guard number == names.count else { throw Self.cut }
    names.append(try text())
    return names[number]
  }
}
