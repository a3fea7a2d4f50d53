internal import EventLog
internal import Events
internal import Replay
internal import Specifications

/// The ``ChoiceShares`` of all kinds of situations of a log.
///
/// - Complexity: some 300 bytes for each kind of situation, and 100 for each variant in it; a row is found in O(1) once
///   its place and situation have been met.
struct ShareTable: StateField {
  /// A kind of situations, by what is the same in all parts of a log but for codes.
  private struct Kind: Hashable {
    var place: UInt32
    /// The choices in their order; none if they were not logged.
    var choices: [UInt32]
    /// The values of the attributes that distinguish situations.
    var values: [AttributeValue?]
  }

  /// The places among the attributes of situations of those that distinguish situations.
  private let attributes: [Int]
  private var indices: [Kind: Int] = [:]
  private var cells: [ChoiceShares] = []
  /// By place and situation, the index of the cell.
  private var known: [UInt64: Int] = [:]

  /// Creates an empty table.
  ///
  /// - Parameter attributes: The places among the attributes of situations of those that distinguish situations.
  init(attributes: [Int]) { self.attributes = attributes }

  /// The number of kinds of situations.
  var count: Int { cells.count }

  /// Adds a number of equal decisions.
  mutating func add(
    _ row: CreditedDecision, _ logged: LoggedProbabilities?, _ situations: SituationRegister,
    times: Int = 1
  ) {
    cells[index(row, situations)].add(row, logged, times: times)
  }

  /// Returns the shares in situations like that of a decision.
  mutating func shares(_ row: CreditedDecision, _ situations: SituationRegister) -> ChoiceShares {
    cells[index(row, situations)]
  }

  /// Adds all decisions of another table of the same attributes.
  mutating func merge(_ other: ShareTable) {
    for (kind, index) in other.indices { cells[cell(kind)].merge(other.cells[index]) }
  }

  private mutating func index(_ row: CreditedDecision, _ situations: SituationRegister) -> Int {
    let key = UInt64(row.place) << 32 | UInt64(row.situation)
    if let index = known[key] { return index }
    let index = cell(
      Kind(
        place: row.place, choices: situations.lists[situations.list(of: row.situation)],
        values: attributes.map {
          situations.values(of: $0)[situations.value($0, of: row.situation)]
        }))
    known[key] = index
    return index
  }

  private mutating func cell(_ kind: Kind) -> Int {
    if let index = indices[kind] { return index }
    indices[kind] = cells.count
    cells.append(ChoiceShares())
    return cells.count - 1
  }

  // MARK: State

  /// Writes the table, its kinds of situations in bytewise order of what is written of them.
  func write(to writer: inout StateWriter) {
    let kinds = indices.map { kind, index in
      var writer = StateWriter()
      writer.write(UInt64(kind.place))
      writer.write(UInt64(kind.choices.count))
      for variant in kind.choices { writer.write(UInt64(variant)) }
      for value in kind.values { value.write(to: &writer) }
      return (bytes: writer.bytes, index: index)
    }
    writer.write(UInt64(kinds.count))
    for kind in kinds.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      writer.write(bytes: kind.bytes)
      cells[kind.index].write(to: &writer)
    }
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      var kind = Kind(place: try reader.readCode(.places), choices: [], values: [])
      for _ in 0..<(try reader.readCount()) {
        kind.choices.append(try reader.readCode(.names(.variants)))
      }
      for _ in attributes { kind.values.append(try AttributeValue?(from: &reader)) }
      let known = count
      guard cell(kind) == known else { throw StateError("a kind of situations occurs twice") }
      try cells[known].read(from: &reader)
    }
  }
}

extension AttributeValue? {
  /// Writes a value; equal ones have equal bytes.
  fileprivate func write(to writer: inout StateWriter) {
    switch self {
    case nil: writer.write(byte: 0)
    case .flag(let flag): writer.write(byte: flag ? 2 : 1)
    case .text(let text):
      writer.write(byte: 3)
      writer.write(UInt64(text.utf8.count))
      writer.write(bytes: text.utf8)
    case .integer(let number):
      writer.write(byte: 4)
      writer.write(signed: number)
    case .number(let number):
      if let integer = Int64(exactly: number) {
        writer.write(byte: 4)
        writer.write(signed: integer)
      } else {
        writer.write(byte: 5)
        writer.write(number)
      }
    }
  }

  /// Reads a value.
  fileprivate init(from reader: inout StateReader) throws(StateError) {
    switch try reader.readByte() {
    case 0: self = nil
    case 1: self = .flag(false)
    case 2: self = .flag(true)
    case 3:
      let bytes = try reader.readBytes(try reader.readCount())
      self = .text(String(decoding: bytes, as: UTF8.self))
    case 4: self = AttributeValue(try reader.readSigned())
    case 5: self = .number(try reader.readDouble())
    default: throw StateError("a value is of an unknown kind")
    }
  }
}
