/// The columns of a frame under construction: only numbers, because names are replaced by codes, and the texts without
/// a code.
///
/// A writer fills them row by row (``BatchBuilder``), rewriting copies them from existing frames (`FrameTransfer`).
struct FrameColumns: Sendable {
  /// The number of rows.
  var count = 0
  /// The earliest and the latest time of the rows that have an event.
  var earliest = Int64.max
  var latest = Int64.min
  /// The bit sets of the kinds of all rows, and of their experiments, as in the header.
  var kinds: UInt64 = 0
  var experiments: UInt64 = 0
  /// The approximate number of bytes of the rows other than integers, to limit the size of a frame.
  var looseBytes = 0

  /// The integer columns, by the raw value of their `ColumnID`.
  var integers: [IntegerColumn] = Array(repeating: IntegerColumn(), count: 32)
  var ids = GappedTexts()
  var configurations = GappedTexts()
  var unknowns = GappedTexts()
  var propensities = GappedNumbers()
  var values = GappedNumbers()
  var revenues = GappedNumbers()
  var probabilities: [Double] = []
  /// The texts that are represented by code 1, by the raw value of the column of codes.
  var literals: [UInt16: TextList] = [:]
  private(set) var attributes: [AttributeValues] = []
  private var attributeIndex = AttributeIndex()

  /// Sets the integer of a row; preceding rows of the column that were not set are 0.
  mutating func set(_ column: ColumnID, _ value: Int64, _ row: Int) {
    integers[Int(column.rawValue)].set(value, row: row)
  }

  /// Appends a text that is represented by code 1 in the column.
  mutating func appendLiteral(_ text: some Collection<UInt8>, _ column: ColumnID) {
    literals[column.rawValue, default: TextList()].append(text)
    looseBytes += text.count
  }

  /// Accesses the values of an attribute and type, which are created if needed.
  @inline(__always)
  mutating func withAttribute(
    _ column: ColumnID, key: UInt32, _ body: (inout AttributeValues) -> Void
  ) {
    var index = attributeIndex[column, key]
    if index < 0 { index = addAttribute(column, key) }
    body(&attributes[index])
  }

  @inline(never)
  private mutating func addAttribute(_ column: ColumnID, _ key: UInt32) -> Int {
    attributes.append(AttributeValues(column: column, key: key))
    attributeIndex[column, key] = attributes.count - 1
    return attributes.count - 1
  }

  /// Pads the used integer columns to the last row.
  mutating func finish() {
    for index in integers.indices where !integers[index].values.isEmpty {
      integers[index].fill(to: count)
    }
  }

  /// Removes all rows, keeping the memory.
  mutating func removeAll() {
    (count, looseBytes) = (0, 0)
    (earliest, latest) = (Int64.max, Int64.min)
    (kinds, experiments) = (0, 0)
    for index in integers.indices { integers[index].removeAll() }
    ids.removeAll()
    configurations.removeAll()
    unknowns.removeAll()
    propensities.removeAll()
    values.removeAll()
    revenues.removeAll()
    probabilities.removeAll(keepingCapacity: true)
    literals.removeAll()
    // Attributes that did not occur in the last frame are removed, so that rare ones cost nothing later.
    if attributes.contains(where: \.isEmpty) || attributes.count > 1_024 {
      attributes.removeAll()
      attributeIndex = AttributeIndex()
    } else {
      for index in attributes.indices { attributes[index].removeAll() }
    }
  }
}
