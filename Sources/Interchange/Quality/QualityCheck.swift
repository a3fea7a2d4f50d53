import Events

/// Checks the events of an import one after another, and counts those that break a rule.
///
/// No rule depends on the time at which the import runs.
struct QualityCheck {
  private static let hour: Int64 = 3_600_000_000
  private static let minute: Int64 = 60_000_000
  /// 2000-01-01 and 2100-01-01, in microseconds since 1970.
  private static let possible: ClosedRange<Int64> = 946_684_800_000_000...4_102_444_800_000_000

  private(set) var quality = ImportQuality()
  private var input = ""
  private var line = 0
  /// The latest possible time of a record's first event in the input.
  private var latest = possible.lowerBound

  /// Begins an input.
  mutating func beginInput(_ name: String) {
    input = name
    latest = Self.possible.lowerBound
  }

  /// Checks the events of a record that were appended.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - isFirst: Whether it is the first of its record. Further ones, such as a conversion days after its impression,
  ///     say nothing about the order of the input.
  ///   - line: The number of the record's first line.
  ///   - received: The time at which the record was received, if it has one.
  /// - Complexity: O(choices).
  mutating func check(
    _ event: EventRecord, isFirst: Bool = true, line: Int, received: Timestamp? = nil
  ) {
    self.line = line
    checkTime(event.time.microseconds, isFirst)
    if let received {
      let lead = event.time.microseconds - received.microseconds
      if lead > Self.minute { note(.clockAhead, by: lead) }
    }
    if event.kind == .decision { checkDecision(event) }
  }

  /// Counts a goal without an earlier decision.
  mutating func addGoalBeforeDecision(line: Int) {
    self.line = line
    note(.goalBeforeDecision)
  }

  private mutating func checkTime(_ time: Int64, _ isFirst: Bool) {
    guard Self.possible.contains(time) else { return note(.impossibleTime) }
    guard isFirst else { return }
    if time >= latest {
      latest = time
    } else if latest - time > Self.hour {
      note(.lateArrival, by: latest - time)
    }
  }

  private mutating func checkDecision(_ event: EventRecord) {
    if let propensity = event.propensity, !(propensity > 0 && propensity <= 1) {
      note(.propensity)
    }
    if event.hasProbabilities, !Self.isDistribution(event.probabilities) { note(.probabilities) }
    if event.hasChoices, !Self.hasChosen(event) { note(.unknownVariant) }
  }

  private static func isDistribution(_ probabilities: [Double]) -> Bool {
    var sum = 0.0
    for probability in probabilities {
      guard probability >= 0, probability <= 1 else { return false }
      sum += probability
    }
    return probabilities.isEmpty || (sum - 1).magnitude <= 1e-6
  }

  private static func hasChosen(_ event: EventRecord) -> Bool {
    let variant = event[.variant]
    for choice in event.choices where event.isEqual(choice, variant) { return true }
    return false
  }

  private mutating func note(_ rule: ImportQuality.Rule, by extent: Int64? = nil) {
    quality.add(rule, input, line: line, by: extent)
  }
}
