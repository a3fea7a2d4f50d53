/// A number of units that have one decision each, all alike.
package struct SingleUnit: Sendable {
  /// The decision, with its reward and the time of one of the units.
  package var row: CreditedDecision
  /// The number of units.
  package var times = 1
  /// The code of one of the units.
  package var unit: UInt32
}

/// The units of a log that have one decision and goals credited to it, which projectors can visit repeatedly.
struct SingleUnits: Sendable {
  /// The sums of all of them.
  let summary: SingleSummary
  /// The decisions that differ in more than their unit, time and reward; nil if there are so many that few are alike.
  let alike: [CreditedDecision]?
  /// For each of ``alike``, the number of units.
  let totals: [Int]
  /// By number of the kind, a decision without propensity and reward.
  private let rows: [CreditedDecision]
  /// For each part of the log its units and the numbers of its kinds.
  private let parts: [Part]
  /// Parts and their chunks, about the same number of units each.
  private let ranges: [(part: Int, chunks: Range<Int>)]

  private struct Part: Sendable {
    var decisions: SingleDecisions
    /// For each kind of the part, the index in ``SingleUnits/rows``.
    var kinds: [UInt32] = []
    /// For each kind with a propensity, the index in ``SingleUnits/alike``.
    var numbers: [UInt32] = []
  }

  /// The chunks of a range.
  private static let chunksPerRange = 1 << 6

  /// Combines the units of the parts of a log.
  ///
  /// - Parameters:
  ///   - parts: The units of each part; none in two of them.
  ///   - arms: The arms of the context.
  ///   - translate: Returns a kind of a part with the context's indices.
  init(_ parts: [SingleDecisions], _ arms: [Arm], translate: (SingleKind, Int) -> SingleKind) {
    var register = SingleKinds()
    var (summary, own) = (SingleSummary(), parts.map { Part(decisions: $0) })
    for (number, part) in parts.enumerated() {
      summary.merge(part.summary)
      own[number].kinds = part.kinds.kinds.map { register.number(of: translate($0, number)) }
    }
    if parts.reduce(0, { $0 + $1.kinds.weighted.count }) <= SingleKinds.mostAlike {
      for (number, part) in parts.enumerated() {
        own[number].numbers = part.kinds.weighted.map { kind in
          register.number(
            of: WeightedKind(
              kind: own[number].kinds[Int(kind.kind)], propensity: kind.propensity))
        }
      }
      let rows = Self.rows(register.kinds, arms)
      alike = register.weighted.map { kind in
        var row = rows[Int(kind.kind)]
        row.propensity = kind.propensity
        return row
      }
      totals = own.reduce(into: Array(repeating: 0, count: register.weighted.count)) {
        for (kind, count) in zip($1.numbers, $1.decisions.counts) { $0[Int(kind)] += count }
      }
    } else {
      (alike, totals) = (nil, [])
    }
    rows = Self.rows(register.kinds, arms)
    (self.parts, self.summary, ranges) = (own, summary, Self.ranges(parts))
  }

  private static func rows(_ kinds: [SingleKind], _ arms: [Arm]) -> [CreditedDecision] {
    let places = Places(arms)
    return kinds.map { kind in
      CreditedDecision(
        index: 0, place: places[kind.arm], variant: arms[Int(kind.arm)].variant,
        situation: kind.situation == SingleKind.none ? 0 : kind.situation,
        probabilities: kind.probabilities == SingleKind.none ? nil : kind.probabilities,
        propensity: 0, reward: 0,
        value: kind.dimension == SingleKind.none ? 0 : kind.dimension)
    }
  }

  private static func ranges(_ parts: [SingleDecisions]) -> [(part: Int, chunks: Range<Int>)] {
    parts.enumerated().flatMap { number, part in
      stride(from: 0, to: part.chunks.count, by: chunksPerRange).map { start in
        (number, start..<min(start + chunksPerRange, part.chunks.count))
      }.filter { _, chunks in part.chunks[chunks].contains { !$0.isEmpty } }
    }
  }

  /// The number of ranges, which can be visited one by one.
  var rangeCount: Int { ranges.count }

  /// Calls the closure with each unit of a range and its decision.
  @inline(__always)
  func forEach(_ range: Int, _ body: (_ row: CreditedDecision, _ unit: UInt32) -> Void) {
    let part = parts[ranges[range].part]
    forEachSlot(range) { slot, unit in
      let kind = part.decisions.weightedKind(slot)
      var row = rows[Int(part.kinds[Int(kind.kind)])]
      (row.unit, row.propensity, row.time) = (unit, kind.propensity, slot.time)
      row.reward = part.decisions.reward(slot)
      body(row, unit)
    }
  }

  /// Calls the closure with each unit of a range whose decision has a reward other than zero: the index of its decision
  /// in ``alike``, which there must be, and the reward.
  @inline(__always)
  func forEachRewarded(_ range: Int, _ body: (_ index: Int, _ reward: Double) -> Void) {
    let part = parts[ranges[range].part]
    forEachSlot(range) { slot, _ in
      guard slot.goal != 0 else { return }
      let reward = part.decisions.reward(slot)
      // A negative zero is another reward.
      guard reward.bitPattern != 0 else { return }
      body(Int(part.numbers[Int(slot.kind) - 1]), reward)
    }
  }

  @inline(__always)
  private func forEachSlot(_ range: Int, _ body: (SingleDecisions.Slot, UInt32) -> Void) {
    let (number, chunks) = ranges[range]
    for chunk in chunks {
      let slots = parts[number].decisions.chunks[chunk]
      for place in slots.indices where slots[place].isSingle {
        body(slots[place], parts[number].decisions.unit(chunk, place))
      }
    }
  }
}

extension UnitCollector.State {
  /// Releases the units that are in several parts of the log, whose events are collected then.
  ///
  /// - Parameter parts: The parts, in log order.
  static func releaseShared(_ parts: inout [UnitCollector.State]) {
    guard parts.count > 1, parts.allSatisfy({ $0.singleUnits != nil }) else { return }
    if parts.contains(where: { $0.singleUnits?.hasGivenUp ?? false }) {
      for part in parts.indices { parts[part].giveUpSingleUnits() }
      return
    }
    for part in parts.indices {
      for unit in parts[part].singleUnits?.unitsWithoutRoom ?? [] { release(unit, &parts) }
    }
    let numbers = parts.compactMap { $0.singleUnits?.numbers }
    guard numbers.isEmpty else { return releaseShared(numbers, &parts) }
    let most = parts.map { $0.singleUnits?.chunks.count ?? 0 }.max() ?? 0
    for chunk in 0..<most {
      let filled = parts.indices.filter { part in
        parts[part].singleUnits.map { chunk < $0.chunks.count && !$0.chunks[chunk].isEmpty }
          ?? false
      }
      guard filled.count > 1 else { continue }
      for place in 0..<SingleDecisions.chunkSize {
        var (owners, hasSingle) = (0, false)
        for part in filled {
          guard let slot = parts[part].singleUnits?.chunks[chunk][place], slot.kind != 0 else {
            continue
          }
          owners += 1
          hasSingle = hasSingle || slot.isSingle
        }
        guard owners > 1, hasSingle else { continue }
        release(UInt32(truncatingIfNeeded: chunk * SingleDecisions.chunkSize + place), &parts)
      }
    }
  }

  /// Releases units that have numbers in several parts.
  private static func releaseShared(_ numbers: [UnitNumbers], _ parts: inout [Self]) {
    var seen = UnitNumbers()
    for unit in numbers.lazy.map(\.units).joined() {
      let count = seen.units.count
      if seen.number(of: unit) < count { release(unit, &parts) }
    }
  }

  private static func release(_ unit: UInt32, _ parts: inout [UnitCollector.State]) {
    for part in parts.indices where parts[part].singleUnits?.slot(of: unit)?.isSingle ?? false {
      parts[part].release(unit)
    }
  }
}
