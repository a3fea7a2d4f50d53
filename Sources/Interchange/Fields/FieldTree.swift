import Events

/// The fields of one record of an input: a JSON object, or a row of CSV as an object whose members are the columns.
///
/// Readers of formats look fields up by name, which marks them as used, and add what is left to the event with
/// ``FieldTree/addUnused(to:of:)``, so that no field of the input is lost. The same value is reused for all records.
///
/// A text that is a JSON object or list is read as one: tables have such columns, and exports write `properties` so.
///
/// Absent fields, JSON `null` and empty fields of CSV are the same: there is no such field.
public struct FieldTree: Sendable {
  /// A field of the tree: its place, valid until the tree is filled with the next record.
  public struct Field: Hashable, Sendable {
    let index: Int
  }

  /// The bytes that the fields are ranges of.
  public internal(set) var bytes: [UInt8] = []
  /// The object that names are looked up in; formats with an envelope move it to the content.
  public var root = Field(index: 0)
  /// What the times of earlier records say of those to come.
  var times = InputTimes()
  /// The time of an envelope around the record, which serves a record that has no time of its own.
  var envelopeTime: Field?
  var nodes: [JSONNode] = []
  /// The lists that became objects, whose members are added to an event before all other fields, and the names that
  /// these have there, if not their own.
  var lists: [(field: Field, name: FieldName?)] = []
  /// The path of the field that is flattened, with a dot at its end.
  var path: [UInt8] = []
  /// Whether the fields are texts without types, as in CSV.
  private(set) var isCSV = false
  /// The columns of the table that the record is a row of; nil for JSON.
  private(set) var columns: ColumnNames?
  /// Whether the record is a row of a table whose columns are all named in capitals.
  private(set) var isUpperCase = false
  /// The index of each column's field in a table, 0 if the row has none; empty otherwise.
  var fieldOfColumn: [Int32] = []
  /// The index of the field of each ``MappedSource``, 0 if the record has none; empty without a mapping.
  var sources: [Int32] = []
  var wrapped = WrappedTexts()

  /// Creates an empty tree.
  public init() {}

  /// Replaces the fields by those of a JSON text.
  ///
  /// - Throws: ``Rejection`` `json` if the text is not one JSON object.
  public mutating func fill(json text: Span<UInt8>) throws(Rejection) {
    root = Field(index: 0)
    envelopeTime = nil
    lists.removeAll(keepingCapacity: true)
    isCSV = false
    columns = nil
    isUpperCase = false
    do throws(JSONLineError) {
      try JSONNodes.parse(text, into: &bytes, &nodes)
    } catch {
      throw Rejection(error)
    }
    guard nodes[0].kind == .object else {
      throw Rejection(.json, "a record must be a JSON object")
    }
    unpackTexts()
  }

  /// Replaces the fields by those of a row of CSV.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - names: The names of the columns.
  mutating func fill(_ row: CSVReader, _ names: ColumnNames) {
    begin(names)
    isCSV = true
    bytes.append(contentsOf: row.bytes)
    let start = names.bytes.count
    nodes[0].count = Int32(truncatingIfNeeded: row.bytes.count)
    var mayHaveJSON = false
    for column in names.read {
      let range = row.fields[column]
      fieldOfColumn[column] = 0
      guard !range.isEmpty else { continue }
      var node = JSONNode(
        kind: .text, start: start + range.lowerBound, count: range.count, next: nodes.count + 1)
      let name = names.ranges[column]
      (node.nameStart, node.nameCount) = (Int32(name.lowerBound), Int32(name.count))
      fieldOfColumn[column] = Int32(truncatingIfNeeded: nodes.count)
      nodes.append(node)
      mayHaveJSON = mayHaveJSON || WrappedTexts.mayBeJSON(bytes, node.range)
    }
    nodes[0].next = Int32(nodes.count)
    if mayHaveJSON { unpackTexts() }
  }

  /// Empties the tree for a row of a table, whose fields the caller enters in ``fieldOfColumn``.
  mutating func begin(_ names: ColumnNames) {
    root = Field(index: 0)
    envelopeTime = nil
    isCSV = false
    if columns !== names {
      columns = names
      isUpperCase = names.isUpperCase
      fieldOfColumn = Array(repeating: 0, count: names.ranges.count)
    }
    bytes.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    lists.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: names.bytes)
    nodes.append(JSONNode(kind: .object, start: names.bytes.count, count: 0, next: 0))
  }
}

/// The names of the columns of a table, as bytes.
final class ColumnNames: Sendable {
  let bytes: [UInt8]
  let ranges: [Range<Int>]
  /// The indices of the columns that are read from a row.
  let read: [Int]
  /// Whether all names are in capitals.
  let isUpperCase: Bool
  private let places: [[UInt8]: Int]

  /// Creates the names of a table, of which some columns are read, or all.
  init(_ names: [String], read: [Int]? = nil) {
    var (bytes, ranges, places) = ([UInt8](), [Range<Int>](), [[UInt8]: Int]())
    for (column, name) in names.enumerated() {
      ranges.append(bytes.count..<bytes.count + name.utf8.count)
      bytes.append(contentsOf: name.utf8)
      if !name.isEmpty { places[Array(name.utf8)] = column }
    }
    (self.bytes, self.ranges, self.places) = (bytes, ranges, places)
    self.read = read ?? Array(names.indices)
    isUpperCase = ColumnCase.isUpper(names)
  }

  /// Returns the index of a column; nil if there is none of that name.
  func place(of name: some Collection<UInt8>) -> Int? {
    if let place = places[Array(name)] { return place }
    return isUpperCase ? places[ColumnCase.upper(name)] : nil
  }
}
