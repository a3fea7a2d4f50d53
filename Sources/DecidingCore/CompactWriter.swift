internal import Events
internal import Specifications

/// Writes numbers and texts compactly, for the parts of a snapshot that are numerous.
///
/// Numbers are those of a `StateWriter`; names that repeat are written once.
package struct CompactWriter {
  private var writer = StateWriter()
  /// The names that were written, or that are kept elsewhere, by their numbers.
  package private(set) var names: [String] = []
  private var numbers: [TextKey: UInt64] = [:]
  private let keepsNames: Bool

  /// Creates a writer without bytes.
  ///
  /// - Parameter keepsNames: Whether the owner keeps ``names`` for the reader, so that they are not written.
  package init(keepingNames keepsNames: Bool = false) { self.keepsNames = keepsNames }

  package var bytes: [UInt8] { writer.bytes }

  /// Removes the bytes, and keeps the names.
  package mutating func removeBytes() { writer.removeAll() }

  /// Writes a whole number.
  package mutating func write(_ number: UInt64) { writer.write(number) }

  /// Writes a whole number that may be negative.
  package mutating func write(signed number: Int64) { writer.write(signed: number) }

  /// Writes the bits of a number.
  package mutating func write(_ number: Double) { writer.write(number) }

  /// Writes a text.
  package mutating func write(text: String) {
    writer.write(UInt64(text.utf8.count))
    writer.write(bytes: text.utf8)
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
  private var reader: StateReader
  private var names: [String]

  /// Creates a reader of bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - names: The names that the writer's owner kept.
  package init(_ bytes: [UInt8], names: [String] = []) {
    reader = StateReader(bytes)
    self.names = names
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { reader.isAtEnd }

  private static let damage = SnapshotProblem("its compact part is damaged")

  @inline(__always)
  private mutating func read<Value>(
    _ body: (inout StateReader) throws(StateError) -> Value
  ) throws(SnapshotProblem) -> Value {
    do throws(StateError) { return try body(&reader) } catch { throw Self.damage }
  }

  /// Reads a whole number.
  package mutating func number() throws(SnapshotProblem) -> UInt64 {
    try read { (reader) throws(StateError) in try reader.read() }
  }

  /// Reads a whole number that is used as a count or an index.
  package mutating func count() throws(SnapshotProblem) -> Int {
    try read { (reader) throws(StateError) in try reader.readCount() }
  }

  /// Reads a whole number that may be negative.
  package mutating func signed() throws(SnapshotProblem) -> Int64 {
    try read { (reader) throws(StateError) in try reader.readSigned() }
  }

  /// Reads the bits of a number.
  package mutating func double() throws(SnapshotProblem) -> Double {
    try read { (reader) throws(StateError) in try reader.readDouble() }
  }

  /// Reads a text.
  package mutating func text() throws(SnapshotProblem) -> String {
    let bytes = try read { (reader) throws(StateError) in try reader.readBytes(try reader.readCount()) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.damage }
    return text
  }

  /// Reads a name that may repeat.
  package mutating func name() throws(SnapshotProblem) -> String {
    let number = try count()
    if number < names.count { return names[number] }
    guard number == names.count else { throw Self.damage }
    names.append(try text())
    return names[number]
  }
}
