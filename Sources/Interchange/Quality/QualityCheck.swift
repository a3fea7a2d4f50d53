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
  private var noun = "line"
  private var line = 0
  /// The latest possible time of a record's first event in the input.
  private var latest = possible.lowerBound

  /// Begins an input, whose records are counted in the noun.
  mutating func beginInput(_ name: String, _ noun: String = "line") {
    input = name
    self.noun = noun
    latest = Self.possible.lowerBound
  }

  /// Checks an event that is appended. Events of a record after the first, such as a conversion days after its
  /// impression, say nothing about the order of the input.
  mutating func check(_ event: EventFacts) {
    line = event.line
    checkTime(event.time, event.flags.contains(.isFirst))
    if event.lead > Self.minute { note(.clockAhead, by: event.lead) }
    if event.flags.contains(.hasBadPropensity) { note(.propensity) }
    if event.flags.contains(.hasBadProbabilities) { note(.probabilities) }
    if event.flags.contains(.hasUnknownVariant) { note(.unknownVariant) }
    if event.flags.contains(.hasRepeatedChoices) { note(.repeatedChoices) }
  }

  /// Counts an event that breaks a rule which other events decide.
  mutating func add(_ rule: ImportQuality.Rule, line: Int) {
    self.line = line
    note(rule)
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

  private mutating func note(_ rule: ImportQuality.Rule, by extent: Int64? = nil) {
    quality.add(rule, input, line: line, noun, by: extent)
  }
}
