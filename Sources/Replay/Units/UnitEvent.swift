/// An event of a unit as seen by projectors, in 32 bytes.
public struct UnitEvent: BitwiseCopyable, Sendable {
  /// The kind of an event.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// A decision that counts: confirmed, or provisional and confirmed now.
    case decision = 0
    /// A provisional decision that was never confirmed.
    case provisional = 1
    /// A repeated decision, which shows the same assignment again: an exposure, but no new decision.
    case repeated = 2
    /// A decision that excluded the unit, which got the default.
    case excluded = 3
    /// A decision with a status unknown to this version.
    case unknown = 4
    /// A decision that the ``UnitSelection`` excludes.
    case leftOut = 5
    /// A confirmation, from which on provisional decisions count; projectors do not see it.
    case confirmation = 6
    /// A goal that counts.
    case goal = 7
    /// A refused goal, which has no value.
    case refusedGoal = 8
    /// A conversion.
    case conversion = 9
    /// The value of the ``UnitSelection/dimension`` of the decision that follows.
    case dimension = 10
    /// Any other sign of activity of the unit: a data point. Actions of a system on its own, such as expiring a
    /// session, do not count.
    case activity = 11
    /// The probabilities of the choices of the following decision; only if ``UnitNeeds/probabilities`` are needed.
    case probabilities = 12
    /// The point and slot that the following goal names.
    case goalPlace = 13
    /// The context of the following decision; only if studies are collected.
    case context = 14
    /// An option of a study was taken.
    case optionTaken = 15
    /// The options of a study were encountered.
    case optionEncountered = 16
    /// A study of the unit was configured.
    case studyConfigured = 17
    /// A change of another feature of the unit from here on.
    case feature = 18
    /// A new value of the ``UnitSelection/dimension`` of the unit from here on, from a data point.
    case dataDimension = 19
    /// The situation of the following decision, by its index in the context; only if ``UnitNeeds/situations`` are
    /// needed.
    case situation = 20
    /// The choices of the following decision, whose probabilities were not logged; only if ``UnitNeeds/choices`` are
    /// needed.
    case choices = 21

    /// Whether it is a decision, counted or not.
    public var isDecision: Bool { rawValue <= Kind.leftOut.rawValue }

    /// Whether it is an exposure: a counted or repeated decision.
    public var isExposure: Bool { self == .decision || self == .repeated }

    /// Whether it annotates the following event, and is not an action of the unit.
    var isNote: Bool { isDecisionNote || self == .goalPlace || self == .dataDimension }

    /// Whether it annotates the following decision.
    package var isDecisionNote: Bool {
      self == .dimension || self == .probabilities || self == .choices || self == .context
        || self == .situation
    }

    /// The rank among events of the same time: 0 for decisions, their confirmations and their annotations, 1 for the
    /// rest.
    @inline(__always)
    var rank: UInt32 { Self.firstKinds &>> UInt32(rawValue) & 1 ^ 1 }

    /// The kinds of rank 0, one bit each.
    private static let firstKinds: UInt32 = 0b11_0000_0101_0100_0111_1111
  }

  /// Whether it makes a unit for which it counts a converter: a goal, or a conversion that is not negative.
  public var isConverting: Bool { kind == .goal || kind == .conversion && !isNegative }

  /// The time in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// For a decision the propensity, NaN if unknown; for a goal its value, 1 if it has none; for a conversion its
  /// revenue, 0 if it has none and less than 0 if it is negative. If studies are collected, its bits are the position
  /// in the log.
  public var number: Double
  /// The code of the unit.
  public var unit: UInt32
  /// The code of the experiment; 0 if there is none.
  public var experiment: UInt32
  /// For a decision the index of its arm (``UnitContext/arms``), for a goal or conversion the code of the goal, for a
  /// dimension the index of its value (``UnitContext/values``), for probabilities their index in the context, for the
  /// place of a goal the index of an arm of that place.
  public var subject: UInt32
  /// The kind of the event.
  public var kind: Kind
  /// Whether the number was given.
  public var hasNumber: Bool
  /// Whether it follows a later event of the same unit in the log.
  public var isLate: Bool
  /// Whether a conversion is negative: see `Conversion.isReversal`.
  public var isNegative: Bool

  /// Creates an event.
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
