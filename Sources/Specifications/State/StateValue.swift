/// A number of a state that is kept rather than added.
public protocol StateValue: Comparable, Sendable {
  /// Writes the value.
  func write(to writer: inout StateWriter)

  /// Reads a value.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  init(from reader: inout StateReader) throws(StateError)

  /// Returns whether a value is written before another one: a total order.
  static func precedes(_ a: Self, _ b: Self) -> Bool

  /// The same for equal values.
  var canonical: Self { get }
}

extension StateValue {
  @inlinable public static func precedes(_ a: Self, _ b: Self) -> Bool { a < b }

  @inlinable public var canonical: Self { self }
}

extension Int: StateValue {
  /// Reads a tally.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  @inlinable
  public init(from reader: inout StateReader) throws(StateError) { self = try reader.readTally() }
}

extension Int64: StateValue {
  @inlinable public func write(to writer: inout StateWriter) { writer.write(signed: self) }

  /// Reads a signed number.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  @inlinable
  public init(from reader: inout StateReader) throws(StateError) { self = try reader.readSigned() }
}

extension Double: StateValue {
  @inlinable public func write(to writer: inout StateWriter) { writer.write(self) }

  /// Reads a Double, bit by bit.
  ///
  /// - Throws: ``StateError`` if the bytes end.
  @inlinable
  public init(from reader: inout StateReader) throws(StateError) { self = try reader.readDouble() }

  @inlinable
  public static func precedes(_ a: Double, _ b: Double) -> Bool {
    !b.isTotallyOrdered(belowOrEqualTo: a)
  }

  /// The number, with one zero for both.
  @inlinable public var canonical: Double { self + 0 }
}

// MARK: Fields

/// See ``FieldVisitor/greatest(_:_:)`` and ``FieldVisitor/least(_:_:)``.
@usableFromInline
struct ExtremeField<Value: StateValue>: StateField {
  @usableFromInline var value: Value
  @usableFromInline let isGreatest: Bool

  @inlinable
  init(_ value: Value, isGreatest: Bool) { (self.value, self.isGreatest) = (value, isGreatest) }

  @inlinable
  mutating func merge(_ other: Self) {
    value = isGreatest ? max(value, other.value) : min(value, other.value)
  }

  @inlinable func write(to writer: inout StateWriter) { value.canonical.write(to: &writer) }

  @inlinable
  mutating func read(from reader: inout StateReader) throws(StateError) {
    value = try Value(from: &reader)
  }
}

/// See ``FieldVisitor/all(_:_:)``.
@usableFromInline
struct AllField: StateField {
  @usableFromInline var value: Bool

  @inlinable init(_ value: Bool) { self.value = value }

  @inlinable mutating func merge(_ other: Self) { value = value && other.value }

  @inlinable func write(to writer: inout StateWriter) { value.write(to: &writer) }

  @inlinable
  mutating func read(from reader: inout StateReader) throws(StateError) {
    try value.read(from: &reader)
  }
}

/// See ``FieldVisitor/values(_:_:)``.
@usableFromInline
struct ValuesField<Value: StateValue>: StateField {
  @usableFromInline var values: [Value]

  @inlinable init(_ values: [Value]) { self.values = values }

  @inlinable mutating func merge(_ other: Self) { values += other.values }

  @inlinable
  mutating func subtract(_ other: Self) {
    for value in other.values {
      if let place = values.firstIndex(of: value) { values.remove(at: place) }
    }
  }

  @inlinable
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(values.count))
    for value in values.sorted(by: Value.precedes) { value.write(to: &writer) }
  }

  @inlinable
  mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount()) { values.append(try Value(from: &reader)) }
  }
}
