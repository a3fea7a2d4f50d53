extension ColumnDecoder {
  /// Checks the offsets, views and texts of a column.
  ///
  /// - Throws: ``ArrowError`` `malformed`.
  func check(_ column: ArrowColumn) throws(ArrowError) {
    guard column.count > 0 else { return }
    switch column.storage {
    case .bytes32: try checkEnds(column, Int32.self, limit: column.buffers[2].count)
    case .bytes64: try checkEnds(column, Int64.self, limit: column.buffers[2].count)
    case .list32: try checkEnds(column, Int32.self, limit: column.children[0].count)
    case .list64: try checkEnds(column, Int64.self, limit: column.children[0].count)
    case .views: try checkViews(column)
    default: break
    }
    switch column.field.storedType {
    case .text, .textView: try checkTexts(column)
    default: break
    }
  }

  private func checkEnds<Offset: FixedWidthInteger & BitwiseCopyable>(
    _ column: ArrowColumn, _ type: Offset.Type, limit: Int
  ) throws(ArrowError) {
    var last = column.load(1, 0, as: type)
    var isAscending = last >= 0
    for row in 1...column.count {
      let end = column.load(1, row, as: type)
      isAscending = isAscending && end >= last
      last = end
    }
    guard isAscending, Int(last) <= limit else {
      throw ArrowError(.malformed, "its offsets do not ascend, or end outside of its values")
    }
  }

  private func checkViews(_ column: ArrowColumn) throws(ArrowError) {
    for row in 0..<column.count where !column.isNull(row) {
      let count = Int(column.load(1, 4 * row, as: Int32.self))
      if count >= 0, count <= 12 { continue }
      let buffer = Int(column.load(1, 4 * row + 2, as: Int32.self))
      let offset = Int(column.load(1, 4 * row + 3, as: Int32.self))
      guard count >= 0, buffer >= 0, buffer < column.buffers.count - 2, offset >= 0,
        offset + count <= column.buffers[buffer + 2].count
      else { throw ArrowError(.malformed, "row \(row) is a view of bytes that are not there") }
    }
  }

  /// Checks that all texts are UTF-8: at once if they are ASCII, otherwise one by one, since a text may end within a
  /// character of the whole.
  private func checkTexts(_ column: ArrowColumn) throws(ArrowError) {
    if column.storage != .views, Self.isASCII(column.body, column.buffers[2]) { return }
    for row in 0..<column.count where !column.isNull(row) {
      let text = column.bytes(row)
      guard (try? UTF8Span(validating: text.span)) != nil else {
        throw ArrowError(.malformed, "the text of row \(row) is not UTF-8")
      }
    }
  }

  private static func isASCII(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    // Safety: the array is kept for the whole call.
    let span = unsafe bytes.span.bytes
    var (index, bits) = (range.lowerBound, UInt64(0))
    while index + 8 <= range.upperBound {
      // Safety: eight bytes of the range, which is one of the array.
      let word = unsafe span.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      bits |= word
      index += 8
    }
    for place in index..<range.upperBound { bits |= UInt64(bytes[place]) }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
