internal import Arrow

/// Rows of a batch that were cut off a stream, to be read by a thread of their own.
struct ArrowPiece: Sendable {
  let batch: ArrowBatch
  /// The columns of a table of events; nil for another table, whose rows are read by the names of its columns.
  let cells: ArrowEventCells?
  /// The rows that are left.
  private(set) var rows: Range<Int>
  /// The number of bytes of text of the input up to each row of the batch.
  private let textEnds: [Int64]

  /// Creates the rows of a whole batch, before which the input has so many bytes of text.
  init(_ batch: ArrowBatch, _ cells: ArrowEventCells?, textBefore: Int64) {
    self.batch = batch
    self.cells = cells
    rows = 0..<batch.count
    var ends = [textBefore]
    ends.reserveCapacity(batch.count + 1)
    for size in batch.textSizes() { ends.append(ends[ends.count - 1] + Int64(size)) }
    textEnds = ends
  }

  /// The number of bytes of text of the input up to the rows that are left.
  var textBytes: Int64 { textEnds[rows.lowerBound] }

  /// Takes the next row.
  mutating func next() -> Int? { rows.popFirst() }

  /// Takes the next rows.
  ///
  /// - Parameters:
  ///   - most: The most rows.
  ///   - size: The size in bytes after which no row is added.
  /// - Returns: These rows, at least one if there is any.
  mutating func take(_ most: Int, size: Int) -> ArrowPiece {
    var end = min(rows.lowerBound + 1, rows.upperBound)
    while end < rows.upperBound, end - rows.lowerBound < most, textEnds[end] - textBytes < size { end += 1 }
    var taken = self
    taken.rows = rows.lowerBound..<end
    rows = end..<rows.upperBound
    return taken
  }
}

extension ArrowBatch {
  /// The number of bytes of each row, as an event has them: its texts, also those of a dictionary, and a name and a
  /// number for each column.
  fileprivate func textSizes() -> [Int] {
    let least = columns.reduce(0) { $0 + $1.field.name.utf8.count + 8 }
    var sizes = [Int](repeating: least, count: count)
    for column in columns {
      for (row, size) in column.textSizes().enumerated() { sizes[row] += size }
    }
    return sizes
  }
}

extension ArrowColumn {
  /// The number of bytes of text in each row; empty if the column has none.
  fileprivate func textSizes() -> [Int] {
    if let dictionary {
      let sizes = dictionary.parts.flatMap { part in
        let sizes = part.textSizes()
        return sizes.isEmpty ? [Int](repeating: 0, count: part.count) : sizes
      }
      return (0..<count).map { isNull($0) ? 0 : sizes[Int(integer($0))] }
    }
    switch field.type {
    case .text, .textView, .binary, .binaryView, .fixedSizeBinary:
      return (0..<count).map { isNull($0) ? 0 : byteRange($0).count }
    case .list, .fixedSizeList, .map:
      let sizes = children[0].textSizes()
      return sizes.isEmpty ? [] : (0..<count).map { isNull($0) ? 0 : sizes[elements($0)].reduce(0, +) }
    case .structure:
      return children.reduce(into: []) { sum, child in
        let sizes = child.textSizes()
        if sum.isEmpty { sum = sizes } else if !sizes.isEmpty { sum = zip(sum, sizes).map { $0 + $1 } }
      }
    default: return []
    }
  }
}
