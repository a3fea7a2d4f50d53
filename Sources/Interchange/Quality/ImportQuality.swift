/// Counts of what is doubtful in the events of an import, by rule.
///
/// The events are imported as they are; reports judge what to do about them.
public struct ImportQuality: Hashable, Sendable {
  /// A rule that imported events are checked against.
  public enum Rule: Int, CaseIterable, Sendable {
    /// The time lies before 2000-01-01 or after 2100-01-01.
    case impossibleTime
    /// The first event of a record is earlier than that of a record before it in the same input, by more than 1 hour.
    case lateArrival
    /// The event's time is later than the time at which it was received, by more than 1 minute.
    case clockAhead
    /// The propensity is not in (0, 1].
    case propensity
    /// A probability is not in [0, 1], or they do not sum to 1 within 1e-6.
    case probabilities
    /// The variant is not among the choices.
    case unknownVariant
    /// A variant occurs twice among the choices; reports count it once.
    case repeatedChoices
    /// The unit of an accepted goal has no decision of the experiment in the log or before it in the import.
    case goalBeforeDecision
    /// The event has the kind, id and slot of another event, and other content: it is kept as an event of its own.
    case sharedID
    /// Likewise, and it is not stored, because the source promises that its ids are unique.
    case refusedID

    /// The common description of events that break the rule.
    public var sentence: String {
      switch self {
      case .impossibleTime: "time before 2000-01-01 or after 2100-01-01"
      case .lateArrival: "more than 1 hour earlier than a record before it in the same file"
      case .clockAhead: "time more than 1 minute after it was received"
      case .propensity: "propensity outside (0, 1]"
      case .probabilities: "probabilities outside [0, 1], or their sum is not 1"
      case .unknownVariant: "variant that is not among the choices"
      case .repeatedChoices: "variant that occurs twice among the choices, counted as one"
      case .goalBeforeDecision: "goal without an earlier decision of its unit and experiment"
      case .sharedID: "id of another event with other content, kept as an event of its own"
      case .refusedID:
        "id of another event with other content, not stored, as the format's ids are unique"
      }
    }
  }

  /// The events that break one rule.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: Rule
    /// The name of the input of the first of them.
    public let input: String
    /// The number of the line on which its record begins, or that of the event if the input is a log.
    public let line: Int
    /// The unit of ``line``, in the singular.
    public let noun: String
    /// The number of events.
    public internal(set) var count: Int64
    /// The largest lag or lead, in microseconds, for rules that compare times.
    public internal(set) var largest: Int64?

    /// The rule with the largest lag or lead and the place of the first event: `propensity outside (0, 1], first on
    /// line 12 of exposures.csv`.
    public var description: String {
      let extent = largest.map { ", by up to \(Self.text(microseconds: $0))" } ?? ""
      return "\(rule.sentence)\(extent), first on \(noun) \(line) of \(input)"
    }

    /// Returns a duration in its two largest units: `3 d 4 h`.
    static func text(microseconds: Int64) -> String {
      let seconds = microseconds / 1_000_000
      let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24)
      let minutes = seconds / 60 % 60
      if days > 0 { return hours > 0 ? "\(days) d \(hours) h" : "\(days) d" }
      if hours > 0 { return minutes > 0 ? "\(hours) h \(minutes) min" : "\(hours) h" }
      return seconds % 60 > 0 ? "\(minutes) min \(seconds % 60) s" : "\(minutes) min"
    }
  }

  /// The findings, by the raw value of their rule.
  private var byRule: [Finding?] = Array(repeating: nil, count: Rule.allCases.count)
  /// The rules that have one, one bit each: to look at a finding would copy it.
  private var found: UInt32 = 0

  /// Creates counts of nothing.
  public init() {}

  /// The rules that events break, in the order of ``Rule``.
  public var findings: [Finding] { byRule.compactMap { $0 } }

  /// The events that break a rule; nil if there are none.
  public subscript(rule: Rule) -> Finding? { byRule[rule.rawValue] }

  /// Counts an event that breaks a rule.
  mutating func add(
    _ rule: Rule, _ input: String, line: Int, _ noun: String = "line", by extent: Int64? = nil
  ) {
    let index = rule.rawValue
    guard found & 1 << index != 0 else {
      found |= 1 << index
      byRule[index] = Finding(
        rule: rule, input: input, line: line, noun: noun, count: 1, largest: extent)
      return
    }
    // In place: a copy of the finding would retain the name of the input.
    byRule[index]?.count += 1
    if let extent {
      let largest = byRule[index]?.largest ?? extent
      byRule[index]?.largest = max(largest, extent)
    }
  }
}
