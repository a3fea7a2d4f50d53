import Events

/// A column or a constant of a mapping, by its number among the ``MappedFields``.
struct MappedSource: Hashable, Sendable {
  fileprivate let number: Int
  /// What a number is divided by, unless the name of its column has as many bytes as the whole text of the source.
  fileprivate var divisor = 1.0
  fileprivate var length = 0

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
  /// The lists that are read as objects, and whether a record that was read here has them.
  private var lists: [(list: ColumnPath, names: ColumnChoice, values: ColumnChoice, isThere: Bool)] = []
  private var paths: [(columns: ColumnChoice, isUnit: Bool)] = []
  private var constants: [UInt8] = []
  /// Of each source, the columns of which no record that was read here had a content.
  private var unfilled: [Unfilled] = []
  /// The number of sources with such columns.
  private var unfilledCount = 0
  private let filled = SeenNames()

  /// The columns of which no record had a content, each once, in the order of their names.
  var absent: [String] {
    let names = unfilled.flatMap(\.columns).map(\.name) + lists.map(\.list.name)
    return Set(names).subtracting(filled.names).sorted()
  }

  /// The number of sources.
  var count: Int { places.count }

  /// Adds the lists that entries have read as objects.
  mutating func addLists(_ entries: [EventMapping.Entry]) {
    for case (.members(let list), .column(let text)) in entries.map({ ($0.field, $0.source) }) {
      let columns = EventMapping.columns(ofEach: text).map { ColumnChoice(ColumnTerm.parts($0[...])) }
      if columns.count == 2 { lists.append((ColumnPath(list), columns[0], columns[1], false)) }
    }
  }

  /// Adds the source of a field.
  mutating func add(_ source: EventMapping.Source, of field: EventField? = nil) -> MappedSource {
    switch source {
    case .column("{column}"), .constant("{column}"): return .eachName
    case .column("{value}"), .constant("{value}"): return .eachValue
    case .column(let name):
      let term = ColumnTerm(name, of: field)
      places.append(.path(paths.count))
      paths.append((columns: ColumnChoice(term.names), isUnit: field == .plain(.unit)))
      unfilled.append(Unfilled(columns: ColumnChoice(term.columns).columns, isOne: term.names.count == 1))
      unfilledCount += 1
      return MappedSource(number: places.count + 1, divisor: term.divisor ?? 1, length: name.utf8.count)
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
      let all = paths[path].columns.columns
      let columns = all.compactMap { names.place(of: $0.whole) }
      let outer = all.compactMap { $0.outer.flatMap { names.place(of: $0) } }
      needed.formUnion(columns + outer)
      if columns.count == 1, outer.isEmpty { places[index] = .column(columns[0]) }
    }
    return needed.sorted()
  }

  /// Remembers which columns of a source have a content in a record.
  private mutating func note(_ number: Int, isThere: Bool, _ tree: FieldTree) {
    guard isThere else { return }
    for path in unfilled[number].columns where unfilled[number].isOne || path.find(in: tree) != nil {
      filled.add(path.name)
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
    for index in lists.indices {
      guard let list = lists[index].list.find(in: tree) else { continue }
      tree.nameElements(of: list, by: lists[index].names, lists[index].values)
      if !lists[index].isThere { filled.add(lists[index].list.name) }
      lists[index].isThere = true
    }
    for (number, place) in places.enumerated() {
      let index =
        switch place {
        case .column(let column): tree.field(ofColumn: column)?.index ?? 0
        case .path(let path): paths[path].columns.find(in: tree, asUnit: paths[path].isUnit)?.index ?? 0
        case .constant(let range): tree.add(constant: constants.span.extracting(range))
        }
      if marking, index > 0 { tree.nodes[index].isUsed = true }
      if unfilledCount > 0, !unfilled[number].columns.isEmpty { note(number, isThere: index > 0, tree) }
      tree.sources[number + 2] = Int32(truncatingIfNeeded: index)
    }
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

  /// Returns what the number in the field of a source is divided by.
  func divisor(of source: MappedSource, _ field: Field) -> Double {
    Int(nodes[field.index].nameCount) == source.length ? 1 : source.divisor
  }

  /// Makes a column the one that is an event of its own, or none.
  mutating func setEach(name: MappedSource?, value: MappedSource?) {
    sources[MappedSource.eachName.number] = name.map { sources[$0.number] } ?? 0
    sources[MappedSource.eachValue.number] = value.map { sources[$0.number] } ?? 0
  }

  /// Makes a member of an object the one that is an event of its own.
  mutating func setEach(member: Field) {
    let name = bytes[nodes[member.index].nameRange]
    sources[MappedSource.eachName.number] = Int32(truncatingIfNeeded: add(constant: Array(name).span))
    sources[MappedSource.eachValue.number] = Int32(truncatingIfNeeded: member.index)
  }

  /// Marks the fields of some sources as used.
  mutating func use(sources numbers: Range<Int>) {
    for number in numbers where sources[number + 2] > 0 { nodes[Int(sources[number + 2])].isUsed = true }
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
