/// Takes the columns of a batch out of the body of a message, and checks every offset and index in them.
struct ColumnDecoder {
  private let layout: BatchLayout
  private let body: [UInt8]
  private let dictionaries: [Int64: ArrowDictionary]
  private var node = 0
  private var buffer = 0
  private var viewColumn = 0

  init(_ layout: BatchLayout, _ body: [UInt8], _ dictionaries: [Int64: ArrowDictionary]) {
    self.layout = layout
    self.body = body
    self.dictionaries = dictionaries
  }

  /// The most rows that a column may have, so that a short message does not have rows without end.
  private var mostRows: Int { min(max(1 << 16, 8 * body.count), Int(Int32.max)) }

  private static func malformed(_ reason: String) -> ArrowError { ArrowError(.malformed, reason) }

  /// Reads the next column.
  ///
  /// - Parameters:
  ///   - field: Its name and type.
  ///   - rows: The number of rows that it must have; nil for any number.
  /// - Returns: The column.
  /// - Throws: ``ArrowError``, with the name of the column.
  mutating func column(_ field: ArrowField, rows: Int?) throws(ArrowError) -> ArrowColumn {
    do throws(ArrowError) {
      return try checked(field, rows: rows)
    } catch {
      throw error.at("column \"\(field.name.prefix(60))\"")
    }
  }

  private mutating func checked(
    _ field: ArrowField, rows: Int?
  ) throws(ArrowError) -> ArrowColumn {
    guard let storage = ArrowStorage(field.storedType) else {
      throw ArrowError(
        .unsupported,
        "its type \(field.type.name) is not supported; leave it out, or \(field.type.remedy)")
    }
    let (count, nulls) = try nextNode(rows)
    var ranges: [Range<Int>] = []
    if storage != .none {
      ranges.append(try nextBuffer(nulls > 0 ? (count + 7) / 8 : 0))
      ranges += try dataBuffers(storage, count)
    }
    let children = try children(of: field, count)
    var column = ArrowColumn(
      field: field, storage: storage, count: count, nullCount: storage == .none ? count : nulls,
      body: body, buffers: ranges, children: children)
    try check(column)
    if let encoding = field.dictionary { column.refer(to: try dictionary(encoding, of: column)) }
    return column
  }

  private mutating func nextNode(_ rows: Int?) throws(ArrowError) -> (count: Int, nulls: Int) {
    guard 2 * node + 1 < layout.nodes.count else {
      throw Self.malformed("its rows are not in the metadata of the batch")
    }
    let (count, nulls) = (layout.nodes[2 * node], layout.nodes[2 * node + 1])
    node += 1
    guard count >= 0, count <= mostRows, nulls >= 0, nulls <= count else {
      throw Self.malformed("it has \(count) rows and \(nulls) nulls, which its bytes cannot hold")
    }
    guard rows == nil || Int(count) == rows else {
      throw Self.malformed("it has \(count) rows where \(rows ?? 0) belong")
    }
    return (Int(count), Int(nulls))
  }

  /// Returns the place of the next buffer, which must have a number of bytes.
  private mutating func nextBuffer(_ needed: Int) throws(ArrowError) -> Range<Int> {
    guard 2 * buffer + 1 < layout.buffers.count else {
      throw Self.malformed("a buffer of it is not in the metadata of the batch")
    }
    let (offset, count) = (layout.buffers[2 * buffer], layout.buffers[2 * buffer + 1])
    buffer += 1
    guard offset >= 0, count >= 0, count <= body.count, offset <= body.count - Int(count) else {
      throw Self.malformed("a buffer of it is outside of the batch")
    }
    guard count >= needed else {
      throw Self.malformed("a buffer of it has \(count) bytes where \(needed) are needed")
    }
    return Int(offset)..<Int(offset + count)
  }

  private mutating func dataBuffers(
    _ storage: ArrowStorage, _ count: Int
  ) throws(ArrowError) -> [Range<Int>] {
    switch storage {
    case .none, .structure, .fixedList: return []
    case .bits: return [try nextBuffer((count + 7) / 8)]
    case .bytes32, .bytes64:
      let offsets = try nextBuffer(count == 0 ? 0 : (count + 1) * (storage == .bytes32 ? 4 : 8))
      return [offsets, try nextBuffer(0)]
    case .list32, .list64:
      return [try nextBuffer(count == 0 ? 0 : (count + 1) * (storage == .list32 ? 4 : 8))]
    case .views:
      guard viewColumn < layout.viewBuffers.count else {
        throw Self.malformed("the number of its buffers is not in the metadata of the batch")
      }
      let further = layout.viewBuffers[viewColumn]
      viewColumn += 1
      var ranges = [try nextBuffer(count * 16)]
      var left = further
      while left > 0 {
        ranges.append(try nextBuffer(0))
        left -= 1
      }
      return ranges
    default:
      let (bytes, overflow) = count.multipliedReportingOverflow(by: storage.width ?? 0)
      guard !overflow else { throw Self.malformed("its values are longer than the batch") }
      return [try nextBuffer(bytes)]
    }
  }

  private mutating func children(
    of field: ArrowField, _ count: Int
  ) throws(ArrowError) -> [ArrowColumn] {
    switch field.storedType {
    case .structure(let fields):
      var children: [ArrowColumn] = []
      for field in fields { children.append(try column(field, rows: count)) }
      return children
    case .list(let field, _), .map(let field): return [try column(field, rows: nil)]
    case .fixedSizeList(let field, let size):
      let (total, overflow) = count.multipliedReportingOverflow(by: size)
      guard !overflow else { throw Self.malformed("its lists are longer than the batch") }
      return [try column(field, rows: total)]
    default: return []
    }
  }

  private func dictionary(
    _ encoding: ArrowDictionaryEncoding, of column: ArrowColumn
  ) throws(ArrowError) -> ArrowDictionary {
    guard let dictionary = dictionaries[encoding.id] else {
      guard column.nullCount < column.count else { return ArrowDictionary() }
      throw Self.malformed("its dictionary \(encoding.id) was not sent before it is used")
    }
    guard dictionary.parts.allSatisfy({ $0.field.type == column.field.type }) else {
      throw Self.malformed("its dictionary \(encoding.id) has values of another type")
    }
    let limit = Int64(dictionary.count)
    for row in 0..<column.count where !column.isNull(row) {
      let index = column.integer(row)
      guard index >= 0, index < limit else {
        throw Self.malformed(
          "row \(row) has the index \(index) and its dictionary \(limit) values")
      }
    }
    return dictionary
  }
}
