/// The verdict of a data-quality check.
public enum HealthVerdict: String, CaseIterable, Sendable {
  /// The check found no problem.
  case ok
  /// Review the data before use.
  case warning
  /// The data cannot be used as they are.
  case failed
  /// The check does not apply; its detail says why.
  case notApplicable = "not-applicable"
}

/// One data-quality check of a log: a row of the report.
public struct HealthCheck: Equatable, Sendable {
  /// The name of a check.
  public enum Name: String, CaseIterable, Sendable {
    /// Sample ratio mismatch: Pearson's chi-squared test.
    case sampleRatio = "sample_ratio"
    /// Sample ratio mismatch, by a test that remains valid at every look.
    case sampleRatioSequential = "sample_ratio_sequential"
    /// The units of one variant against those expected.
    case sampleRatioUnits = "sample_ratio_units"
    /// Units exposed to several variants of one experiment.
    case crossedUnits = "crossed_units"
    /// Differences between variants before the first exposure: conversions.
    case preExposureConversions = "pre_exposure_conversions"
    /// Differences between variants before the first exposure: revenue.
    case preExposureRevenue = "pre_exposure_revenue"
    /// Differences between variants before the first exposure: values of goals.
    case preExposureGoals = "pre_exposure_goals"
    /// Goals without a decision.
    case orphanGoals = "orphan_goals"
    /// Conversions without an exposure.
    case orphanConversions = "orphan_conversions"
    /// Duplicate decisions.
    case duplicateDecisions = "duplicate_decisions"
    /// Duplicate goals.
    case duplicateGoals = "duplicate_goals"
    /// Duplicate conversions.
    case duplicateConversions = "duplicate_conversions"
    /// Different events of the same kind, id and slot.
    case sharedIDs = "shared_ids"
    /// Refused goals.
    case refusedGoals = "refused_goals"
    /// Decisions of units that are excluded from the experiment.
    case excludedDecisions = "excluded_decisions"
    /// Provisional decisions that were never confirmed.
    case unconfirmedDecisions = "unconfirmed_decisions"
    /// Repeated exposures of an existing assignment.
    case repeatedDecisions = "repeated_decisions"
    /// Decisions with an unknown status.
    case unknownDecisions = "unknown_decisions"
    /// Decisions that were left out because of their reason.
    case leftOutDecisions = "left_out_decisions"
    /// Events after a later one of their unit.
    case lateEvents = "late_events"
    /// Erased events.
    case erasedEvents = "erased_events"
    /// Lost events.
    case lostEvents = "lost_events"
    /// Units with more events than a person has.
    case busyUnits = "busy_units"
    /// Decisions without a propensity.
    case propensityMissing = "propensity_missing"
    /// Invalid propensities.
    case propensityRange = "propensity_range"
    /// The mean inverse propensity against the number of choices.
    case propensityInverse = "propensity_inverse"
    /// Probabilities that do not sum to 1.
    case propensitySum = "propensity_sum"
    /// Propensities that differ from the chosen variant's probability.
    case propensityMatch = "propensity_match"
    /// Variants that are not among their own choices.
    case propensityChoice = "propensity_choice"
    /// The observed choices of a variant against its probabilities.
    case propensityCalibration = "propensity_calibration"
  }

  /// The name of the check.
  public var name: Name
  /// The experiment; nil if the check belongs to none.
  public var experiment: String?
  /// The point; nil for all.
  public var point: String?
  /// The slot; nil for all.
  public var slot: String?
  /// The variant; nil for all.
  public var variant: String?
  /// The value of the dimension; nil for all, and if unknown.
  public var dimensionValue: String?
  /// The measured value: a statistic, a share or a mean.
  public var value: Double?
  /// The expected value in a healthy log.
  public var expected: Double?
  /// The probability of a value at least as far off in a healthy log.
  public var pValue: Double?
  /// The verdict.
  public var verdict = HealthVerdict.notApplicable
  /// The number of units, events or decisions that the check found.
  public var count: Int?
  /// The number that ``count`` is out of.
  public var total: Int?
  /// The threshold: a p-value below it, or a share above it, fails (or warns, if the check never fails).
  public var threshold: Double?
  /// Further details in words.
  public var detail = ""

  /// Creates a check that is not applicable yet.
  public init(_ name: Name, experiment: String? = nil) {
    self.name = name
    self.experiment = experiment
  }

  /// Returns the check as not applicable, for the reason given.
  func saying(_ detail: String) -> HealthCheck {
    var check = self
    check.verdict = .notApplicable
    check.detail = detail
    return check
  }
}

extension HealthCheck {
  /// A group of checks that can set off an alarm, named by `--fail-on`.
  public enum Alarm: String, CaseIterable, Sendable {
    /// Sample ratio mismatch.
    case srm
    /// Units exposed to several variants.
    case crossed
    /// Differences between variants before exposure.
    case bias
    /// Invalid propensities.
    case propensity
    /// Duplicate events.
    case duplicates
    /// Orphan goals and conversions.
    case orphans
    /// Lost events.
    case lost
    /// Any failed check.
    case failed
    /// Any check that failed or warned.
    case any

    /// Returns whether a check sets off the alarm.
    public func rings(for check: HealthCheck) -> Bool {
      switch self {
      case .failed: check.verdict == .failed
      case .any: check.verdict == .failed || check.verdict == .warning
      default: check.verdict == .failed && names.contains(check.name)
      }
    }

    private var names: [Name] {
      switch self {
      case .srm: [.sampleRatio, .sampleRatioSequential]
      case .crossed: [.crossedUnits]
      case .bias: [.preExposureConversions, .preExposureRevenue, .preExposureGoals]
      case .propensity:
        [
          .propensityRange, .propensityInverse, .propensitySum, .propensityMatch, .propensityChoice,
          .propensityCalibration,
        ]
      case .duplicates: [.duplicateDecisions, .duplicateGoals, .duplicateConversions]
      case .orphans: [.orphanGoals, .orphanConversions]
      case .lost: [.lostEvents]
      case .failed, .any: []
      }
    }
  }
}
