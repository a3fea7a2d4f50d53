import Events

/// The fields of one record of an input: a JSON object, or a row of CSV as an object whose members are the columns.
///
/// Readers of formats look fields up by name, which marks them as used, and add what is left to the event with
/// ``FieldTree/addUnused(to:of:)``, so that no field of the input is lost. The same value is reused for all records.
///
/// Absent fields, JSON `null` and empty fields of CSV are the same: there is no such field.
public struct FieldTree: Sendable {
  /// A field of the tree: its place, valid until the tree is filled with the next record.
  public struct Field: Hashable, Sendable {
    let index: Int
  }

  /// The bytes that the fields are ranges of.
  public private(set) var bytes: [UInt8] = []
  /// The object that names are looked up in; formats with an envelope move it to the content.
  public var root = Field(index: 0)
  var nodes: [JSONNode] = []
  /// The path of the field that is flattened, with a dot at its end.
  var path: [UInt8] = []
  /// Whether the fields are texts without types, as in CSV.
  private(set) var isCSV = false

  /// Creates an empty tree.
  public init() {}

  /// Replaces the fields by those of a JSON text.
  ///
  /// - Throws: ``Rejection`` `json` if the text is not one JSON object.
  public mutating func fill(json text: Span<UInt8>) throws(Rejection) {
    root = Field(index: 0)
    isCSV = false
    do throws(JSONLineError) {
      try JSONNodes.parse(text, into: &bytes, &nodes)
    } catch {
      throw Rejection(.json, error.reason, at: error.offset)
    }
    guard nodes[0].kind == .object else {
      throw Rejection(.json, "a record must be a JSON object")
    }
  }

  /// Replaces the fields by those of a row of CSV.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - names: The names of the columns.
  mutating func fill(_ row: CSVReader, _ names: ColumnNames) {
    root = Field(index: 0)
    isCSV = true
    bytes.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: names.bytes)
    bytes.append(contentsOf: row.bytes)
    let start = names.bytes.count
    nodes.append(JSONNode(kind: .object, start: start, count: row.bytes.count, next: 0))
    for (column, range) in row.fields.enumerated() where !range.isEmpty {
      var node = JSONNode(
        kind: .text, start: start + range.lowerBound, count: range.count, next: nodes.count + 1)
      let name = names.ranges[column]
      (node.nameStart, node.nameCount) = (Int32(name.lowerBound), Int32(name.count))
      nodes.append(node)
    }
    nodes[0].next = Int32(nodes.count)
  }
}

/// The names of the columns of a CSV file, as bytes.
struct ColumnNames: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var ranges: [Range<Int>] = []

  init(_ names: [String]) {
    for name in names {
      let start = bytes.count
      bytes.append(contentsOf: name.utf8)
      ranges.append(start..<bytes.count)
    }
  }
}
