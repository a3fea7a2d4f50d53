internal import Arrow
internal import Events

extension FieldTree {
  /// The most bytes and values of a row: those of JSON are as many, and a dictionary may have a long text that many
  /// rows refer to.
  private static var mostBytes: Int { 64 << 20 }
  private static var mostNodes: Int { 1 << 22 }

  /// Replaces the fields by those of a row of an Arrow table. Nulls and NaN are absent, and a text that is a JSON
  /// object or list is read as one, as in CSV.
  ///
  /// - Throws: ``Rejection`` `event` if the row is too large, or a byte string is not UTF-8.
  mutating func fill(
    _ row: Int, of batch: ArrowBatch, _ names: ColumnNames
  ) throws(Rejection) {
    begin(names)
    for column in names.read {
      let index = nodes.count
      fieldOfColumn[column] = 0
      guard !batch.columns[column].isNull(row) else { continue }
      try add(batch.columns[column], row, name: names.ranges[column])
      if nodes.count > index { fieldOfColumn[column] = Int32(index) }
    }
    try requireSize()
    nodes[0].next = Int32(nodes.count)
    unpackTexts()
  }

  private func requireSize() throws(Rejection) {
    guard bytes.count < Self.mostBytes, nodes.count < Self.mostNodes else {
      throw Rejection(.event, "the row has more than 64 MiB, or more than 4 million values")
    }
  }

  /// Adds a value and what it contains; nothing for null.
  private mutating func add(
    _ column: ArrowColumn, _ row: Int, name: Range<Int>?
  ) throws(Rejection) {
    if let dictionary = column.dictionary, !column.isNull(row) {
      let (part, place) = dictionary.find(Int(column.integer(row)))
      return try add(part, place, name: name)
    }
    try requireSize()
    let index = nodes.count
    var node = JSONNode(kind: .null, start: bytes.count, count: 0, next: 0)
    if let name { (node.nameStart, node.nameCount) = (Int32(name.lowerBound), Int32(name.count)) }
    nodes.append(node)
    if !column.isNull(row) {
      switch column.field.type {
      case .list, .fixedSizeList:
        nodes[index].kind = .list
        setText(of: index, to: column, row)
        for element in column.elements(row) { try add(column.children[0], element, name: nil) }
      case .structure:
        nodes[index].kind = .object
        setText(of: index, to: column, row)
        for child in column.children where !child.isNull(row) {
          try add(child, row, name: append(Array(child.field.name.utf8)))
        }
      case .map:
        nodes[index].kind = .object
        setText(of: index, to: column, row)
        try add(map: column, row)
      default: try add(scalar: column, row, at: index)
      }
    }
    nodes[index].next = Int32(nodes.count)
  }

  /// Sets the text of a list or an object, which is that of its JSON.
  private mutating func setText(of index: Int, to column: ArrowColumn, _ row: Int) {
    let start = bytes.count
    ArrowText.append(json: column, row, to: &bytes)
    nodes[index].start = Int32(clamping: start)
    nodes[index].count = Int32(clamping: bytes.count - start)
  }

  private mutating func append(_ text: [UInt8]) -> Range<Int> {
    bytes.append(contentsOf: text)
    return bytes.count - text.count..<bytes.count
  }

  private mutating func add(map column: ArrowColumn, _ row: Int) throws(Rejection) {
    let entries = column.children[0].children
    for entry in column.elements(row) where !entries[1].isNull(entry) {
      var key: [UInt8] = []
      ArrowText.append(key: entries[0], entry, to: &key)
      try add(entries[1], entry, name: append(key))
    }
  }

  private mutating func add(
    scalar column: ArrowColumn, _ row: Int, at index: Int
  ) throws(Rejection) {
    let start = bytes.count
    if case .floatingPoint = column.field.type, column.number(row).isNaN { return }
    ArrowText.append(column, row, to: &bytes)
    (nodes[index].start, nodes[index].count) = (Int32(start), Int32(clamping: bytes.count - start))
    switch column.field.type {
    case .boolean: nodes[index].kind = .flag
    case .text, .textView:
      nodes[index].kind = .text
    case .binary, .binaryView, .fixedSizeBinary:
      nodes[index].kind = .text
      guard UTF8Check.isValid(Array(bytes[start...])) else {
        throw Rejection(
          .encoding, "the bytes of the column \"\(column.field.name.prefix(40))\" are not UTF-8")
      }
    case .date32, .date64, .timestamp:
      nodes[index].kind = .text
      guard bytes.count > start else {
        throw Rejection(
          .time,
          "the column \"\(column.field.name.prefix(40))\" is \(column.integer(row)), which lies outside of "
            + "the years 0001 to 9999")
      }
    case .decimal where ArrowText.losesDigits(bytes, start..<bytes.count):
      nodes[index].kind = .text
    default:
      nodes[index].kind = ArrowText.isNumber(column, row) ? .number : .text
    }
  }
}
