/// A part of a state: what is merged with its like from other units, subtracted again where it has sums and counts
/// only, and stored as bytes.
///
/// A type that consists of such parts conforms to ``StateFields`` and lists them once.
public protocol StateField: Sendable {
  /// Adds another one.
  mutating func merge(_ other: Self)

  /// Subtracts another one, which was added before. By default nothing: the field, such as a maximum, stays.
  mutating func subtract(_ other: Self)

  /// Writes the field: equal ones have equal bytes.
  func write(to writer: inout StateWriter)

  /// Reads a field in place of this one, which is empty and has the same shape.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  mutating func read(from reader: inout StateReader) throws(StateError)

  /// Whether a table of such fields is written without this one. False by default.
  var isOmitted: Bool { get }
}

extension StateField {
  @inlinable public mutating func subtract(_ other: Self) {}

  @inlinable public var isOmitted: Bool { false }
}

/// A state that consists of fields, which it lists in the order in which they are stored:
///
///     mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
///       visit(&units, other.units)
///       visit(&total, other.total)
///     }
///
/// Merging, subtracting, writing and reading follow from the list.
public protocol StateFields: StateField {
  /// Visits each field, together with the same field of another state.
  mutating func each(_ visit: inout some FieldVisitor, _ other: Self)

  /// Checks a state that was read. Does nothing by default.
  ///
  /// - Throws: ``StateError`` if the fields contradict each other.
  func validate() throws(StateError)
}

extension StateFields {
  @inlinable
  public mutating func merge(_ other: Self) {
    var visit = MergingVisitor()
    each(&visit, other)
  }

  @inlinable
  public mutating func subtract(_ other: Self) {
    var visit = SubtractingVisitor()
    each(&visit, other)
  }

  @inlinable
  public func write(to writer: inout StateWriter) {
    // Written fields are not changed, so nothing that the copy shares is copied.
    var copy = self
    copy.each(&writer, self)
  }

  @inlinable
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    let empty = self
    each(&reader, empty)
    if let failure = reader.failure { throw failure }
    try validate()
  }

  @inlinable public func validate() throws(StateError) {}
}

/// A field that can be created empty, and thus from bytes alone.
public protocol EmptyState: StateField {
  /// Creates an empty field.
  init()
}

extension EmptyState {
  /// Reads a field.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  @inlinable
  public init(from reader: inout StateReader) throws(StateError) {
    self.init()
    try read(from: &reader)
  }
}

// MARK: Fields

/// A flag that is true of a merged state if it is of either; see ``FieldVisitor/all(_:_:)``.
extension Bool: StateField {
  @inlinable public mutating func merge(_ other: Bool) { self = self || other }

  @inlinable public func write(to writer: inout StateWriter) { writer.write(byte: self ? 1 : 0) }

  @inlinable
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    self = try reader.readByte() == 1
  }
}

/// A tally; see ``StateReader/readTally()``.
extension Int: StateField {
  @inlinable public mutating func merge(_ other: Int) { self += other }

  @inlinable public mutating func subtract(_ other: Int) { self -= other }

  @inlinable public func write(to writer: inout StateWriter) { writer.write(tally: self) }

  @inlinable
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    self = try reader.readTally()
  }

  @inlinable public var isOmitted: Bool { self <= 0 }
}

/// A sum that is not negative.
extension Int128: StateField {
  @inlinable public mutating func merge(_ other: Int128) { self += other }

  @inlinable public mutating func subtract(_ other: Int128) { self -= other }

  @inlinable
  public func write(to writer: inout StateWriter) {
    writer.write(UInt64(truncatingIfNeeded: self))
    writer.write(tally: Int(truncatingIfNeeded: self >> 64))
  }

  @inlinable
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    let low = try reader.read()
    self = Int128(try reader.readTally()) << 64 | Int128(low)
  }
}

/// A field that all states of the same shape have, or none; the value says which.
extension Optional: StateField where Wrapped: StateField {
  @inlinable
  public mutating func merge(_ other: Wrapped?) { if let other { self?.merge(other) } }

  @inlinable
  public mutating func subtract(_ other: Wrapped?) { if let other { self?.subtract(other) } }

  @inlinable public func write(to writer: inout StateWriter) { self?.write(to: &writer) }

  @inlinable
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    try self?.read(from: &reader)
  }
}

/// Fields of which all states of the same shape have the same number.
extension Array: StateField where Element: StateField {
  @inlinable
  public mutating func merge(_ other: [Element]) {
    for index in indices { self[index].merge(other[index]) }
  }

  @inlinable
  public mutating func subtract(_ other: [Element]) {
    for index in indices { self[index].subtract(other[index]) }
  }

  @inlinable
  public func write(to writer: inout StateWriter) {
    for field in self { field.write(to: &writer) }
  }

  @inlinable
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    for index in indices { try self[index].read(from: &reader) }
  }
}
