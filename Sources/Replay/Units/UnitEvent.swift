/// An event of a unit, as projectors see it: 32 bytes.
public struct UnitEvent: Sendable {
  /// What happened.
  public enum Kind: UInt8, Sendable {
    /// A decision that counts: confirmed, or provisional and confirmed now.
    case decision = 0
    /// A provisional decision that nothing confirmed.
    case provisional = 1
    /// The same assignment shown again: an exposure, no new decision.
    case repeated = 2
    /// The unit got the default because it is not in.
    case excluded = 3
    /// A decision with a status that this version does not know.
    case unknown = 4
    /// A decision that the ``UnitSelection`` leaves out.
    case leftOut = 5
    /// Provisional decisions count from here on; projectors do not see it.
    case confirmation = 6
    /// A goal that counts.
    case goal = 7
    /// A goal that was refused when it came in: it is worth nothing.
    case refusedGoal = 8
    /// A conversion.
    case conversion = 9
    /// The value of the ``UnitSelection/dimension`` of the decision that follows.
    case dimension = 10
    /// Anything else that shows that the unit was there: a data point. What a system does on its own, such as to let a
    /// session expire, does not.
    case activity = 11
    /// What the decision that follows gave its choices: only where ``UnitNeeds/probabilities`` are needed.
    case probabilities = 12
    /// The point and slot that the goal that follows names.
    case goalPlace = 13
    /// What was known of the unit when the decision that follows was made: only where studies are collected.
    case context = 14
    /// An option of a study was taken.
    case optionTaken = 15
    /// The options of a study were encountered.
    case optionEncountered = 16
    /// A study of the unit was configured.
    case studyConfigured = 17
    /// Something else is known of the unit from here on.
    case feature = 18
    /// The unit has another value of the ``UnitSelection/dimension`` from here on, because of a data point.
    case dataDimension = 19

    /// Whether it is a decision, counted or not.
    public var isDecision: Bool { rawValue <= Kind.leftOut.rawValue }

    /// Whether it is an exposure: a decision that counts, or the same assignment shown again.
    public var isExposure: Bool { self == .decision || self == .repeated }

    /// Whether it says something of the event that follows, and is nothing that the unit did.
    var isNote: Bool { isDecisionNote || self == .goalPlace || self == .dataDimension }

    /// Whether it says something of the decision that follows.
    var isDecisionNote: Bool {
      self == .dimension || self == .probabilities || self == .context
    }

    /// The rank among events of the same time: 0 for decisions, their confirmations and what is said of them, 1 for the rest.
    @inline(__always)
    var rank: UInt32 { Self.firstKinds &>> UInt32(rawValue) & 1 ^ 1 }

    /// By bit, the kinds of rank 0.
    private static let firstKinds: UInt32 = 0b101_0100_0111_1111
  }

  /// Whether it makes a unit for which it counts a converter: a goal, or a conversion that takes none back.
  public var isConverting: Bool { kind == .goal || kind == .conversion && !isNegative }

  /// When, in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// Of a decision the propensity, NaN when it is not known; of a goal its value, 1 when it has none; of a conversion
  /// its revenue, 0 when it has none and less than 0 when it takes an earlier one back. Where studies are collected, the
  /// bits of it are the position in the log.
  public var number: Double
  /// Code of the unit.
  public var unit: UInt32
  /// Code of the experiment; 0 where there is none.
  public var experiment: UInt32
  /// Of a decision the index of its arm (``UnitContext/arms``), of a goal or conversion the code of the goal, of a
  /// dimension the index of its value (``UnitContext/values``), of probabilities their index in the context, of the place of
  /// a goal the index of an arm of that place.
  public var subject: UInt32
  /// What happened.
  public var kind: Kind
  /// Whether the number was given.
  public var hasNumber: Bool
  /// Whether it stands behind a later event of the same unit in the log.
  public var isLate: Bool
  /// Whether a conversion takes an earlier one back.
  public var isNegative: Bool

  /// Makes an event.
  public init(
    time: Int64, number: Double, unit: UInt32, experiment: UInt32, subject: UInt32, kind: Kind,
    hasNumber: Bool = true, isLate: Bool = false, isNegative: Bool = false
  ) {
    self.time = time
    self.number = number
    self.unit = unit
    self.experiment = experiment
    self.subject = subject
    self.kind = kind
    self.hasNumber = hasNumber
    self.isLate = isLate
    self.isNegative = isNegative
  }
}
