internal import EventLog

/// How decisions are grouped and ordered.
struct DecisionSorting: Sendable {
  /// Whether decisions are grouped by place and value.
  let isGrouped: Bool
  /// The hashes of units.
  let hashes: UnitHashes

  @inline(__always)
  func group(_ decision: CreditedDecision) -> CreditedDecisions.Group {
    isGrouped ? CreditedDecisions.Group(place: decision.place, value: decision.value) : .all
  }

  @inline(__always)
  func isBefore(_ a: CreditedDecision, _ b: CreditedDecision) -> Bool {
    if isGrouped, a.place != b.place || a.value != b.value { return group(a) < group(b) }
    if a.time != b.time { return a.time < b.time }
    guard a.unit != b.unit else { return a.index < b.index }
    return hashes.order(of: a.unit) < hashes.order(of: b.unit)
  }

  /// Returns whether the current decision of a cursor is before that of another one; an ended one comes last.
  func isBefore(_ a: DecisionCursor, _ b: DecisionCursor) -> Bool {
    guard let first = a.decision else { return false }
    return b.decision.map { isBefore(first, $0) } ?? true
  }
}

/// Sorted decisions, in memory or in a file.
struct SortedDecisions: Sendable {
  private enum Content: Sendable {
    case held([CreditedDecision])
    case spilled(TemporaryFile, offset: Int)
  }

  private let content: Content
  /// The places of the decisions of each group.
  let ranges: [CreditedDecisions.Group: Range<Int>]

  /// Sorts decisions in place; writes them to a file if there is one.
  ///
  /// - Throws: `LogError` if they cannot be written.
  init(
    _ decisions: inout [CreditedDecision], _ sorting: DecisionSorting,
    spillingTo file: TemporaryFile? = nil
  ) throws(LogError) {
    decisions.sort(by: sorting.isBefore)
    ranges = Self.ranges(decisions, sorting)
    content = file.map { .spilled($0, offset: $0.byteCount) } ?? .held(decisions)
    try file?.write(decisions, reporting: "a temporary file")
  }

  private static func ranges(
    _ decisions: [CreditedDecision], _ sorting: DecisionSorting
  ) -> [CreditedDecisions.Group: Range<Int>] {
    var ranges: [CreditedDecisions.Group: Range<Int>] = [:]
    var start = 0
    for index in decisions.indices {
      let group = sorting.group(decisions[index])
      guard index + 1 == decisions.count || sorting.group(decisions[index + 1]) != group else {
        continue
      }
      ranges[group] = start..<index + 1
      start = index + 1
    }
    return ranges
  }

  /// The number of decisions that are read at once from a file.
  private static let blockSize = 1 << 9

  /// Reads the first of some decisions: all that are in memory, or a block of the file.
  ///
  /// - Throws: `LogError` if they cannot be read back.
  func read(
    _ range: inout Range<Int>, into decisions: inout ArraySlice<CreditedDecision>,
    _ bytes: inout [UInt8]
  ) throws {
    guard case .spilled(let file, let offset) = content else {
      if case .held(let all) = content { decisions = all[range] }
      range = range.upperBound..<range.upperBound
      return
    }
    let next = range.prefix(Self.blockSize)
    decisions = []
    let start = offset + next.lowerBound * MemoryLayout<CreditedDecision>.stride
    try file.read(next.count, CreditedDecision.self, at: start, &bytes) { decisions.append($0) }
    range = next.upperBound..<range.upperBound
  }
}

/// A place in sorted decisions of a group.
struct DecisionCursor {
  private let run: SortedDecisions
  /// The decisions that are not read yet.
  private var rest: Range<Int>
  private var block: ArraySlice<CreditedDecision> = []
  private var bytes: [UInt8] = []
  /// The current decision; nil at the end.
  private(set) var decision: CreditedDecision?

  /// Starts with the first decision.
  ///
  /// - Throws: `LogError` if decisions cannot be read back.
  init(_ run: SortedDecisions, _ range: Range<Int>) throws {
    (self.run, rest) = (run, range)
    try advance()
  }

  /// Goes to the next decision.
  ///
  /// - Throws: `LogError` if decisions cannot be read back.
  mutating func advance() throws {
    if block.isEmpty, !rest.isEmpty { try run.read(&rest, into: &block, &bytes) }
    decision = block.popFirst()
  }
}
