/// An integer column that is filled row by row, 0 for rows without a value.
struct IntegerColumn: Hashable, Sendable {
  private(set) var values: [Int64] = []

  /// Sets the value of a row; preceding rows that were not set are 0.
  mutating func set(_ value: Int64, row: Int) {
    if values.count < row { fill(to: row) }
    values.append(value)
  }

  /// Appends the values of the rows from `row` on; preceding rows that were not set are 0.
  mutating func append(contentsOf rows: Span<Int64>, from row: Int) {
    if values.count < row { fill(to: row) }
    // Safety: the buffer lives as long as the closure, which copies it.
    unsafe rows.withUnsafeBufferPointer { unsafe values.append(contentsOf: $0) }
  }

  mutating func fill(to rows: Int) {
    guard values.count < rows else { return }
    values.append(contentsOf: repeatElement(0, count: rows - values.count))
  }

  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
  }
}

/// A column of numbers that are optional per row.
struct GappedNumbers: Equatable, Sendable {
  private(set) var rows: [Int] = []
  private(set) var numbers: [Double] = []

  /// Returns whether the same rows have the same numbers, bit for bit.
  static func == (a: GappedNumbers, b: GappedNumbers) -> Bool {
    a.rows == b.rows && a.numbers.elementsEqual(b.numbers) { $0.bitPattern == $1.bitPattern }
  }

  mutating func set(_ number: Double?, row: Int) {
    guard let number else { return }
    rows.append(row)
    numbers.append(number)
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
  }
}

/// A column of texts that are optional per row.
struct GappedTexts: Hashable, Sendable {
  private(set) var rows: [Int] = []
  private(set) var texts = TextList()

  mutating func set(_ text: ArraySlice<UInt8>, row: Int) {
    set(text.span, row: row)
  }

  mutating func set(_ text: Span<UInt8>, row: Int) {
    rows.append(row)
    texts.append(text)
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    texts.removeAll()
  }
}

/// The values of one type of one attribute, in the order of the rows that have it.
struct AttributeValues: Equatable, Comparable, Sendable {
  var column: ColumnID
  var key: UInt32
  var integers: [Int64] = []
  var numbers: [Double] = []
  var literals = TextList()

  var isEmpty: Bool { integers.isEmpty && numbers.isEmpty }

  /// Returns whether they are the same values of the same attribute, bit for bit.
  static func == (a: AttributeValues, b: AttributeValues) -> Bool {
    a.column == b.column && a.key == b.key && a.integers == b.integers && a.literals == b.literals
      && a.numbers.elementsEqual(b.numbers) { $0.bitPattern == $1.bitPattern }
  }

  /// Compares by the order in a frame.
  static func < (a: AttributeValues, b: AttributeValues) -> Bool {
    (a.column.rawValue, a.key) < (b.column.rawValue, b.key)
  }

  mutating func removeAll() {
    integers.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    literals.removeAll()
  }
}
