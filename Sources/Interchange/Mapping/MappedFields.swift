import Events

/// A column or a constant of a mapping, by its number among the ``MappedFields``.
struct MappedSource: Hashable, Sendable {
  fileprivate let number: Int

  /// The name of the column that is an event of its own.
  static let eachName = MappedSource(number: 0)
  /// The content of that column.
  static let eachValue = MappedSource(number: 1)

  /// Whether the content is different for each of several columns that are events of their own.
  var variesByColumn: Bool { number <= Self.eachValue.number }
}

/// The columns and the constants of a mapping, which are looked up once for each record. The columns of a table are
/// found in its header, so that its rows take no search.
struct MappedFields: Sendable {
  private enum Place: Sendable {
    /// The index of a column.
    case column(Int)
    /// The index in `paths` of what is searched in each record.
    case path(Int)
    /// The range of a text in `constants`.
    case constant(Range<Int>)
  }

  private struct Unfilled: Sendable {
    var columns: [ColumnPath]
    /// Whether the source has one column, and not several of which the first with a content counts.
    let isOne: Bool
  }

  private var places: [Place] = []
  private var paths: [Alternatives] = []
  private var constants: [UInt8] = []
  /// Of each source, the columns of which no record that was read here had a content.
  private var unfilled: [Unfilled] = []
  /// The number of sources with such columns.
  private var unfilledCount = 0
  private let filled = SeenNames()

  /// The columns of which no record had a content, each once, in the order of their names.
  var absent: [String] {
    let names = unfilled.flatMap(\.columns).map { String(decoding: $0.whole, as: UTF8.self) }
    return Set(names).subtracting(filled.names).sorted()
  }

  /// Adds the source of a field.
  mutating func add(_ source: EventMapping.Source, of field: EventField? = nil) -> MappedSource {
    switch source {
    case .column("{column}"), .constant("{column}"): return .eachName
    case .column("{value}"), .constant("{value}"): return .eachValue
    case .column(let name):
      let columns = ColumnTerm(name, isCondition: field?.isCondition == true).names.map { ColumnPath($0) }
      places.append(.path(paths.count))
      paths.append(Alternatives(columns: columns, isUnit: field == .plain(.unit)))
      // The first of several is the text with all of them, which is seldom a name.
      let isOne = columns.count == 1
      unfilled.append(Unfilled(columns: isOne ? columns : Array(columns.dropFirst()), isOne: isOne))
      unfilledCount += 1
    case .constant(let value):
      places.append(.constant(constants.count..<constants.count + value.utf8.count))
      constants.append(contentsOf: value.utf8)
      unfilled.append(Unfilled(columns: [], isOne: true))
    }
    return MappedSource(number: places.count + 1)
  }

  /// Finds the columns of a table, and returns the indices of those that are needed. A name with a point may be that
  /// of a field of JSON in a column, which is searched in each row.
  mutating func bind(to names: ColumnNames) -> [Int] {
    var needed: Set<Int> = []
    for index in places.indices {
      guard case .path(let path) = places[index] else { continue }
      let columns = paths[path].columns.compactMap { names.place(of: $0.whole) }
      let outer = paths[path].columns.compactMap { $0.outer.flatMap { names.place(of: $0) } }
      needed.formUnion(columns + outer)
      if columns.count == 1, outer.isEmpty { places[index] = .column(columns[0]) }
    }
    return needed.sorted()
  }

  /// Remembers which columns of a source have a content in a record.
  private mutating func note(_ number: Int, isThere: Bool, _ tree: FieldTree) {
    guard isThere else { return }
    for path in unfilled[number].columns where unfilled[number].isOne || path.find(in: tree) != nil {
      filled.add(String(decoding: path.whole, as: UTF8.self))
      unfilled[number].columns.removeAll { $0.whole == path.whole }
    }
    if unfilled[number].columns.isEmpty { unfilledCount -= 1 }
  }

  /// Looks up the fields of a record.
  ///
  /// - Parameters:
  ///   - tree: The record, in which the constants become fields behind its own.
  ///   - marking: Whether the columns are marked as used.
  mutating func find(in tree: inout FieldTree, marking: Bool) {
    if tree.sources.count != places.count + 2 {
      tree.sources = Array(repeating: 0, count: places.count + 2)
    }
    tree.setEach(name: nil, value: nil)
    for (number, place) in places.enumerated() {
      let index =
        switch place {
        case .column(let column): tree.field(ofColumn: column)?.index ?? 0
        case .path(let path): paths[path].find(in: tree)?.index ?? 0
        case .constant(let range): tree.add(constant: constants.span.extracting(range))
        }
      if marking, index > 0 { tree.nodes[index].isUsed = true }
      if unfilledCount > 0, !unfilled[number].columns.isEmpty { note(number, isThere: index > 0, tree) }
      tree.sources[number + 2] = Int32(truncatingIfNeeded: index)
    }
  }
}

/// The columns that may fill a field.
private struct Alternatives: Sendable {
  let columns: [ColumnPath]
  let isUnit: Bool

  /// Returns the first field that has a content, or else that there is. A text that stands for a missing unit is none.
  func find(in tree: FieldTree) -> FieldTree.Field? {
    if columns.count == 1 { return columns[0].find(in: tree) }
    let found = columns.lazy.compactMap { $0.find(in: tree) }
    let filled = found.first { field in
      tree.nodes[field.index].count > 0 && !(isUnit && PlaceholderUnit.matches(tree.text(field).span))
    }
    return filled ?? found.first
  }
}

/// The place of a mapped column: its name or, in nested JSON, the names on the way.
private struct ColumnPath: Sendable {
  let whole: [UInt8]
  private let parts: [[UInt8]]

  init(_ name: String) {
    whole = Array(name.utf8)
    parts = name.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
  }

  /// The name of the outermost object; nil if the name has no points.
  var outer: [UInt8]? { parts.count > 1 ? parts.first : nil }

  /// Returns the field, which is looked up by the whole name first; nil if it is absent.
  func find(in tree: FieldTree) -> FieldTree.Field? {
    if let field = tree.find(whole, in: tree.root) { return field }
    guard parts.count > 1 else { return nil }
    var place = tree.root
    for part in parts {
      guard let next = tree.find(part, in: place) else { return nil }
      place = next
    }
    return place
  }
}

extension FieldTree {
  /// Returns the field of a source; nil if it is absent.
  func find(_ source: MappedSource?) -> Field? {
    guard let source, sources[source.number] > 0 else { return nil }
    return Field(index: Int(sources[source.number]))
  }

  /// Returns the field of a source; nil if it is absent or an empty text, as CSV writes absent fields.
  func findFilled(_ source: MappedSource?) -> Field? {
    guard let field = find(source), nodes[field.index].count > 0 else { return nil }
    return field
  }

  /// Makes a column the one that is an event of its own, or none.
  mutating func setEach(name: MappedSource?, value: MappedSource?) {
    sources[MappedSource.eachName.number] = name.map { sources[$0.number] } ?? 0
    sources[MappedSource.eachValue.number] = value.map { sources[$0.number] } ?? 0
  }

  /// Whether a field is a constant of the mapping, and not one of the record.
  func isConstant(_ field: Field) -> Bool { field.index >= Int(nodes[0].next) }

  /// Adds a constant behind the fields of the record, and returns its index.
  fileprivate mutating func add(constant: Span<UInt8>) -> Int {
    let index = nodes.count
    nodes.append(
      JSONNode(kind: .text, start: bytes.count, count: constant.count, next: index + 1))
    // Safety: the pointer does not leave the closure.
    unsafe constant.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    return index
  }
}
