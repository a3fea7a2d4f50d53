/// See ``FieldVisitor/list(_:_:_:)``.
@usableFromInline
struct ListField<Field: StateField>: StateField {
  @usableFromInline var fields: [Field]
  @usableFromInline let empty: Field

  @inlinable init(_ fields: [Field], _ empty: Field) { (self.fields, self.empty) = (fields, empty) }

  @inlinable
  mutating func merge(_ other: Self) {
    grow(to: other.fields.count)
    for (index, field) in other.fields.enumerated() { fields[index].merge(field) }
  }

  @inlinable
  mutating func subtract(_ other: Self) {
    grow(to: other.fields.count)
    for (index, field) in other.fields.enumerated() { fields[index].subtract(field) }
  }

  @inlinable
  mutating func grow(to count: Int) {
    let more = count - fields.count
    if more > 0 { fields.append(contentsOf: repeatElement(empty, count: more)) }
  }

  @inlinable
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(fields.count))
    for field in fields { field.write(to: &writer) }
  }

  @inlinable
  mutating func read(from reader: inout StateReader) throws(StateError) {
    fields = []
    for _ in 0..<(try reader.readCount()) {
      var field = empty
      try field.read(from: &reader)
      fields.append(field)
    }
  }
}

/// See ``FieldVisitor/list(_:_:by:_:)``.
@usableFromInline
struct CodedListField<Field: StateField>: StateField {
  @usableFromInline var list: ListField<Field>
  @usableFromInline let space: CodeSpace

  @inlinable
  init(_ list: ListField<Field>, _ space: CodeSpace) { (self.list, self.space) = (list, space) }

  @inlinable mutating func merge(_ other: Self) { list.merge(other.list) }

  @inlinable mutating func subtract(_ other: Self) { list.subtract(other.list) }

  @inlinable
  func write(to writer: inout StateWriter) {
    let used = list.fields.indices.filter { !list.fields[$0].isOmitted }
    writer.write(UInt64(used.count))
    for index in used {
      writer.write(UInt64(index))
      list.fields[index].write(to: &writer)
    }
  }

  @inlinable
  mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      let index = Int(try UInt32(from: &reader, space))
      list.grow(to: index + 1)
      list.fields[index] = list.empty
      try list.fields[index].read(from: &reader)
    }
  }
}
