internal import Statistics

/// Up to six values of one unit: of its only decision, or their sums over its decisions.
public struct UnitValues: Sendable {
  /// The values; those that an estimate does not have are zero.
  var values: InlineArray<6, Double>
  /// The number of decisions.
  var count = 1
  /// The number of decisions that the target policy could have made too.
  var matched: Int
}

extension Span<LoggedDecision> {
  /// The number of decisions with a weight above zero.
  var matched: Int { indices.reduce(0) { $0 + (self[$1].weight > 0 ? 1 : 0) } }

  /// Whether the target policy could have made all of them.
  var areMatched: Bool { matched == count }

  /// Returns the values of a unit, added exactly until they are rounded, so that the order of its decisions does not
  /// matter.
  ///
  /// - Parameters:
  ///   - isWhole: Whether all the slots of a whole decision are one decision.
  ///   - values: Returns the values of a decision, or of the slots of a whole one.
  /// - Returns: The sums, with the numbers of decisions.
  @inline(__always)
  func sums(
    ofWhole isWhole: Bool = false, _ values: (Span<LoggedDecision>) -> InlineArray<6, Double>
  ) -> UnitValues {
    if count == 1 { return UnitValues(values: values(self), matched: matched) }
    var sums = InlineArray<6, SmallSum>(repeating: SmallSum())
    var unit = UnitValues(values: InlineArray(repeating: 0), count: 0, matched: 0)
    forEachDecision(ofWhole: isWhole) { slots in
      unit.count += 1
      if slots.areMatched { unit.matched += 1 }
      let terms = values(slots)
      for index in sums.indices where terms[index] != 0 { sums[index].add(terms[index]) }
    }
    for index in sums.indices { unit.values[index] = sums[index].value }
    return unit
  }

  /// Calls the closure with each decision, or with the slots of each whole one, in order.
  @inline(__always)
  func forEachDecision(ofWhole isWhole: Bool, _ body: (Span<LoggedDecision>) -> Void) {
    var start = 0
    while start < count {
      var end = start + 1
      while isWhole, end < count, self[end].isContinuation { end += 1 }
      body(extracting(start..<end))
      start = end
    }
  }
}
