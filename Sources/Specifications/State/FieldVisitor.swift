/// A visitor of the fields of a state, together with those of another one: see ``StateFields``.
///
/// A ``StateWriter`` writes the fields that it visits, and a ``StateReader`` reads them.
public protocol FieldVisitor {
  /// Visits a field.
  mutating func callAsFunction<Field: StateField>(_ field: inout Field, _ other: Field)
}

extension FieldVisitor {
  /// Visits a value of which merged states keep the greatest.
  @inlinable
  public mutating func greatest<Value: StateValue>(_ value: inout Value, _ other: Value) {
    var field = ExtremeField(value, isGreatest: true)
    self(&field, ExtremeField(other, isGreatest: true))
    value = field.value
  }

  /// Visits a value of which merged states keep the least.
  @inlinable
  public mutating func least<Value: StateValue>(_ value: inout Value, _ other: Value) {
    var field = ExtremeField(value, isGreatest: false)
    self(&field, ExtremeField(other, isGreatest: false))
    value = field.value
  }

  /// Visits a flag that is true of a merged state if it is of both.
  @inlinable
  public mutating func all(_ flag: inout Bool, _ other: Bool) {
    var field = AllField(flag)
    self(&field, AllField(other))
    flag = field.value
  }

  /// Visits values in no particular order, which merged states keep all; they are written in ascending order.
  @inlinable
  public mutating func values<Value: StateValue>(_ values: inout [Value], _ other: [Value]) {
    var field = ValuesField(exchange(&values, with: []))
    self(&field, ValuesField(other))
    values = field.values
  }

  /// Visits values as ``values(_:_:)-(Array<_>,_)`` does, or nil, which other states of the same shape have too.
  @inlinable
  public mutating func values<Value: StateValue>(_ values: inout [Value]?, _ other: [Value]?) {
    guard var kept = exchange(&values, with: nil) else { return }
    self.values(&kept, other ?? [])
    values = kept
  }

  /// Visits a list of fields that has grown as far as was needed; merged states have as many as the longer list.
  ///
  /// - Parameters:
  ///   - fields: The list.
  ///   - other: That of the other state.
  ///   - empty: An empty field.
  @inlinable
  public mutating func list<Field: StateField>(
    _ fields: inout [Field], _ other: [Field], _ empty: Field
  ) {
    var field = ListField(exchange(&fields, with: []), empty)
    self(&field, ListField(other, empty))
    fields = field.fields
  }

  /// Visits a list of fields by code, of which those that tables omit are not written.
  ///
  /// - Parameters:
  ///   - fields: The list.
  ///   - other: That of the other state.
  ///   - space: What the indices are.
  ///   - empty: An empty field.
  @inlinable
  public mutating func list<Field: StateField>(
    _ fields: inout [Field], _ other: [Field], by space: CodeSpace, _ empty: Field
  ) {
    var field = CodedListField(ListField(exchange(&fields, with: []), empty), space)
    self(&field, CodedListField(ListField(other, empty), space))
    fields = field.list.fields
  }

  /// Visits fields by key, which are written in ascending order of their keys.
  ///
  /// - Parameters:
  ///   - entries: The fields.
  ///   - other: Those of the other state.
  ///   - space: What the keys are, if they are codes.
  ///   - empty: An empty field.
  @inlinable
  public mutating func entries<Key: StateKey, Field: StateField>(
    _ entries: inout [Key: Field], _ other: [Key: Field], _ space: CodeSpace, _ empty: Field
  ) {
    var field = StateEntries(exchange(&entries, with: [:]), space, empty)
    self(&field, StateEntries(other, space, empty))
    entries = field.entries
  }
}

/// Adds the fields of the other state.
@usableFromInline
struct MergingVisitor: FieldVisitor {
  @inlinable init() {}

  @inlinable
  mutating func callAsFunction<Field: StateField>(_ field: inout Field, _ other: Field) {
    field.merge(other)
  }
}

/// Subtracts the fields of the other state.
@usableFromInline
struct SubtractingVisitor: FieldVisitor {
  @inlinable init() {}

  @inlinable
  mutating func callAsFunction<Field: StateField>(_ field: inout Field, _ other: Field) {
    field.subtract(other)
  }
}

extension StateWriter: FieldVisitor {
  /// Writes a field.
  @inlinable
  public mutating func callAsFunction<Field: StateField>(_ field: inout Field, _ other: Field) {
    field.write(to: &self)
  }
}

extension StateReader: FieldVisitor {
  /// Reads a field, unless another one could not be read.
  @inlinable
  public mutating func callAsFunction<Field: StateField>(_ field: inout Field, _ other: Field) {
    guard failure == nil else { return }
    do throws(StateError) { try field.read(from: &self) } catch { failure = error }
  }
}
