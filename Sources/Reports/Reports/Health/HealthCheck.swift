/// What a check of a log's health came to.
public enum HealthVerdict: String, CaseIterable, Sendable {
  /// Nothing speaks against the data.
  case ok
  /// Something to look at before the data is used.
  case warning
  /// The data cannot be used as it is.
  case failed
  /// The check says nothing here; its detail says why.
  case notApplicable = "not-applicable"
}

/// One check of a log's health: a row of the report.
public struct HealthCheck: Equatable, Sendable {
  /// What is checked.
  public enum Name: String, CaseIterable, Sendable {
    /// Whether units were dealt to variants as intended: Pearson's chi-squared test.
    case sampleRatio = "sample_ratio"
    /// The same, as a test that stays valid however often one looks.
    case sampleRatioSequential = "sample_ratio_sequential"
    /// The units of one variant beside those expected.
    case sampleRatioUnits = "sample_ratio_units"
    /// Units that were exposed to several variants of one experiment.
    case crossedUnits = "crossed_units"
    /// What units did before their first exposure: conversions.
    case preExposureConversions = "pre_exposure_conversions"
    /// What units did before their first exposure: revenue.
    case preExposureRevenue = "pre_exposure_revenue"
    /// What units did before their first exposure: values of goals.
    case preExposureGoals = "pre_exposure_goals"
    /// Goals without a decision.
    case orphanGoals = "orphan_goals"
    /// Conversions without an exposure.
    case orphanConversions = "orphan_conversions"
    /// Decisions that are there twice.
    case duplicateDecisions = "duplicate_decisions"
    /// Goals that are there twice.
    case duplicateGoals = "duplicate_goals"
    /// Conversions that are there twice.
    case duplicateConversions = "duplicate_conversions"
    /// Goals that were refused.
    case refusedGoals = "refused_goals"
    /// Decisions of units that are not in.
    case excludedDecisions = "excluded_decisions"
    /// Provisional decisions that nothing confirmed.
    case unconfirmedDecisions = "unconfirmed_decisions"
    /// Assignments shown again.
    case repeatedDecisions = "repeated_decisions"
    /// Decisions with a status that is not known.
    case unknownDecisions = "unknown_decisions"
    /// Decisions that were left out by their reason.
    case leftOutDecisions = "left_out_decisions"
    /// Events behind a later one of their unit.
    case lateEvents = "late_events"
    /// Events that were erased.
    case erasedEvents = "erased_events"
    /// Events that were lost.
    case lostEvents = "lost_events"
    /// Units with more events than a person has.
    case busyUnits = "busy_units"
    /// Decisions without a propensity.
    case propensityMissing = "propensity_missing"
    /// Propensities that are none.
    case propensityRange = "propensity_range"
    /// One over the propensity against the number of choices.
    case propensityInverse = "propensity_inverse"
    /// Probabilities that do not add up.
    case propensitySum = "propensity_sum"
    /// Propensities that are not the chosen variant's probability.
    case propensityMatch = "propensity_match"
    /// Variants that are not among their own choices.
    case propensityChoice = "propensity_choice"
    /// How often a variant was chosen against its probabilities.
    case propensityCalibration = "propensity_calibration"
  }

  /// What is checked.
  public var name: Name
  /// Of which experiment; nil when it belongs to none.
  public var experiment: String?
  /// At which point; nil for all.
  public var point: String?
  /// For which slot; nil for all.
  public var slot: String?
  /// For which variant; nil for all.
  public var variant: String?
  /// For which value of the dimension; nil for all, and when it is not known.
  public var dimensionValue: String?
  /// What was measured: a statistic, a share or a mean.
  public var value: Double?
  /// What it would be in a healthy log.
  public var expected: Double?
  /// How likely a value as far off is in a healthy log.
  public var pValue: Double?
  /// What it came to.
  public var verdict = HealthVerdict.notApplicable
  /// How many units, events or decisions the check found.
  public var count: Int?
  /// Of how many.
  public var total: Int?
  /// Where the verdict turns: a p-value below which, or a share above which, it fails (or warns, if it never fails).
  public var threshold: Double?
  /// The rest in words.
  public var detail = ""

  /// Makes a check that has nothing to say yet.
  public init(_ name: Name, experiment: String? = nil) {
    self.name = name
    self.experiment = experiment
  }

  /// The check with the verdict that it says nothing, and why.
  func saying(_ detail: String) -> HealthCheck {
    var check = self
    check.verdict = .notApplicable
    check.detail = detail
    return check
  }
}

extension HealthCheck {
  /// What a process may end with an error for.
  public enum Alarm: String, CaseIterable, Sendable {
    /// A sample ratio mismatch.
    case srm
    /// Units in several variants.
    case crossed
    /// What units did before exposure.
    case bias
    /// Propensities that cannot be right.
    case propensity
    /// Duplicates.
    case duplicates
    /// Goals and conversions that belong to nobody.
    case orphans
    /// Events that were lost.
    case lost
    /// Any check that failed.
    case failed
    /// Any check that failed or warned.
    case any

    /// Whether a check sets the alarm off.
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
