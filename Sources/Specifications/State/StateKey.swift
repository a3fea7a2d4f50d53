/// The kind of the codes of a state, such as arms or names. Those of a stored state may be numbered differently where
/// it is read; see ``StateReader/translate``.
public struct CodeSpace: Hashable, Sendable {
  /// The index of its translation; nil for numbers that are the same everywhere.
  let index: Int?
  /// An exclusive upper bound of numbers that are not translated.
  let limit: Int

  /// Creates a space of codes that are translated.
  package init(_ index: Int) { (self.index, limit) = (index, 1 << 32) }

  private init(below limit: Int) { (index, self.limit) = (nil, limit) }

  /// Returns the numbers from 0 to below a limit.
  package static func below(_ limit: Int) -> CodeSpace { CodeSpace(below: limit) }

  /// Numbers that are the same everywhere, of 32 bits or of 64, signed or not, as the keys are.
  public static let numbers = CodeSpace(below: 1 << 32)

  /// The numbers of logging policies.
  package static let loggers = CodeSpace(0)
}

/// The codes of a stored state in one ``CodeSpace``, as those of what it is read into.
package struct CodeTranslation: Sendable {
  /// By stored code, the code here; nil if all are equal.
  let codes: [UInt32]?
  /// An exclusive upper bound of the stored codes.
  let limit: Int

  /// Creates a translation.
  ///
  /// - Parameters:
  ///   - codes: By stored code, the code here; nil if all are equal.
  ///   - limit: An exclusive upper bound of the stored codes, if all are equal.
  package init(_ codes: [UInt32]?, limit: Int = 1 << 32) {
    self.codes = codes
    self.limit = codes?.count ?? limit
  }
}

extension StateReader {
  /// Reads a code, which is translated.
  ///
  /// - Throws: ``StateError`` if there is no such code.
  package mutating func readCode(_ space: CodeSpace) throws(StateError) -> UInt32 {
    guard let index = space.index else { return UInt32(try readCount(below: space.limit)) }
    guard index < translations.count, let translation = translations[index] else {
      setTranslation(try translate?(space) ?? CodeTranslation(nil), of: space)
      return try readCode(space)
    }
    let code = try readCount(below: translation.limit)
    return translation.codes?[code] ?? UInt32(code)
  }

  /// Sets the codes that are read from here on.
  package mutating func setTranslation(_ translation: CodeTranslation, of space: CodeSpace) {
    guard let index = space.index else { return }
    while translations.count <= index { translations.append(nil) }
    translations[index] = translation
  }
}

/// A key of fields.
public protocol StateKey: Hashable, Comparable, Sendable {
  /// Writes the key.
  func write(to writer: inout StateWriter)

  /// Reads a key.
  ///
  /// - Throws: ``StateError`` if there is no such key.
  init(from reader: inout StateReader, _ space: CodeSpace) throws(StateError)
}

extension UInt32: StateKey {
  public func write(to writer: inout StateWriter) { writer.write(UInt64(self)) }

  /// Reads a code.
  ///
  /// - Throws: ``StateError`` if there is no such code.
  public init(from reader: inout StateReader, _ space: CodeSpace) throws(StateError) {
    self = try reader.readCode(space)
  }
}

extension UInt64: StateKey {
  public func write(to writer: inout StateWriter) { writer.write(self) }

  /// Reads a number.
  ///
  /// - Throws: ``StateError`` if it is not among those of the space.
  public init(from reader: inout StateReader, _ space: CodeSpace) throws(StateError) {
    self = UInt64(try reader.readCode(space))
  }
}

extension Int64: StateKey {
  /// Reads a signed number.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  @inlinable
  public init(from reader: inout StateReader, _ space: CodeSpace) throws(StateError) {
    self = try reader.readSigned()
  }
}

/// Fields by key; see ``FieldVisitor/entries(_:_:_:_:)``.
@usableFromInline
package struct StateEntries<Key: StateKey, Field: StateField>: StateField {
  /// The fields.
  @usableFromInline package var entries: [Key: Field]
  @usableFromInline let space: CodeSpace
  @usableFromInline let empty: Field

  /// Creates the field of some entries.
  ///
  /// - Parameters:
  ///   - entries: The fields.
  ///   - space: What the keys are, if they are codes.
  ///   - empty: An empty field.
  @inlinable
  package init(_ entries: [Key: Field], _ space: CodeSpace, _ empty: Field) {
    (self.entries, self.space, self.empty) = (entries, space, empty)
  }

  @inlinable
  package mutating func merge(_ other: Self) {
    let empty = empty
    for (key, field) in other.entries { entries[key, default: empty].merge(field) }
  }

  @inlinable
  package mutating func subtract(_ other: Self) {
    let empty = empty
    for (key, field) in other.entries { entries[key, default: empty].subtract(field) }
  }

  @inlinable
  package func write(to writer: inout StateWriter) {
    writer.write(UInt64(entries.count))
    for (key, field) in entries.sorted(by: { $0.key < $1.key }) {
      key.write(to: &writer)
      field.write(to: &writer)
    }
  }

  @inlinable
  package mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      let key = try Key(from: &reader, space)
      var field = empty
      try field.read(from: &reader)
      guard entries.updateValue(field, forKey: key) == nil else {
        throw StateError("a key occurs twice")
      }
    }
  }
}
