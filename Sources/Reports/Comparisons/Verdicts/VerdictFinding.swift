internal import Replay
internal import Specifications
internal import Tables

/// A property of the data that speaks against reading a comparison, or that its reader has to know.
public struct VerdictFinding: Equatable, Sendable {
  /// The effect of a finding on the verdict.
  public enum Effect: Int, CaseIterable, Sendable {
    /// The comparison is not valid.
    case forbids
    /// Nothing can be tested.
    case untestable
    /// Nothing can be tested yet.
    case early
    /// The verdict holds, but its reader has to know.
    case warns
  }

  /// The name of the rule: that of the data-quality check, or `adaptive_policy`, `few_events`, `no_variance`,
  /// `no_test`.
  public var name: String
  /// The effect on the verdict.
  public var effect: Effect
  /// The finding in words.
  public var text: String

  /// Creates a finding.
  public init(_ name: String, _ effect: Effect, _ text: String) {
    (self.name, self.effect, self.text) = (name, effect, text)
  }

  /// The finding as it is written in the column `reason`.
  var reason: String { "\(name): \(text)" }
}

extension VerdictFinding {
  /// Creates the finding of a failed or warning check of the report `health`; nil if the check says nothing about
  /// comparisons.
  ///
  /// A mismatch of the sample ratio, units in several variants and differences before the first exposure make groups
  /// that cannot be compared. Late, orphan, duplicate and lost events shift the numbers of all variants.
  init?(_ check: HealthCheck, of metric: Metric) {
    guard let effect = Self.effect(of: check) else { return nil }
    switch check.name {
    case .orphanGoals, .duplicateGoals: guard metric.countsGoals else { return nil }
    case .duplicateConversions: guard metric.countsConversions else { return nil }
    default: break
    }
    self.init(check.name.rawValue, effect, Self.text(check))
  }

  /// Returns what a check does to verdicts; nil if it says nothing about comparisons.
  static func effect(of check: HealthCheck) -> Effect? {
    guard check.verdict == .failed || check.verdict == .warning else { return nil }
    switch check.name {
    case .sampleRatio, .crossedUnits, .preExposureConversions, .preExposureRevenue,
      .preExposureGoals:
      return check.verdict == .failed ? .forbids : .warns
    case .lateEvents, .lostEvents, .orphanGoals, .duplicateGoals, .duplicateConversions:
      return .warns
    default: return nil
    }
  }

  /// What checks of the time before the first exposure compare.
  private static let measuredBefore: [HealthCheck.Name: String] = [
    .preExposureConversions: "conversions", .preExposureRevenue: "revenue", .preExposureGoals: "goals",
  ]

  private static func text(_ check: HealthCheck) -> String {
    if let measured = measuredBefore[check.name], let pValue = check.pValue {
      let level = check.threshold.map { ", limit \(NumberText.readable($0))" } ?? ""
      return "the variants differ in \(measured) before the first exposure "
        + "(\(AnswerNumber.pValue(pValue))\(level)); \(check.detail)"
    }
    guard let count = check.count, let total = check.total, let share = check.value,
      check.pValue == nil
    else {
      let level = check.threshold.map { ", limit \(NumberText.readable($0))" } ?? ""
      let pValue = check.pValue.map { "p = \(AnswerNumber.probability($0))\(level); " } ?? ""
      return pValue + check.detail
    }
    let advice =
      check.name == .crossedUnits && check.verdict == .failed
      ? "; --crossing first keeps them with their first variant, and report rewards is over decisions"
      : ""
    let noun = total == 1 ? check.name.noun.singular : check.name.noun.plural
    return "\(count) of \(total) \(noun) (\(AnswerNumber.percent(share)))\(advice)"
  }
}

extension HealthCheck.Name {
  /// The things that a check of a share counts.
  fileprivate var noun: (singular: String, plural: String) {
    switch self {
    case .crossedUnits: ("unit is in several variants", "units are in several variants")
    case .lateEvents:
      (
        "event is behind a later one of its unit in the log",
        "events are behind a later one of their unit in the log"
      )
    case .lostEvents: ("event is lost", "events are lost")
    case .orphanGoals: ("goal has no decision", "goals have no decision")
    case .duplicateGoals: ("goal is a duplicate", "goals are duplicates")
    case .duplicateConversions: ("conversion is a duplicate", "conversions are duplicates")
    default: ("event", "events")
    }
  }
}

extension Metric {
  private var counts: [Count] { [term.count, denominator?.count].compactMap { $0 } }

  /// Whether it counts goals of the experiment.
  fileprivate var countsGoals: Bool {
    counts.contains { [.reward, .goals, .converted].contains($0) }
  }

  /// Whether it counts conversions.
  fileprivate var countsConversions: Bool {
    counts.contains { [.conversions, .revenue, .converted].contains($0) }
  }
}
