internal import DecidingCore
public import Events

/// One thing that targeting asks of a visitor.
public struct SegmentCondition: Hashable, Sendable {
  /// What is asked.
  public var test: Test
  /// Whether the test must be met, or must not.
  public var include: Bool

  /// Makes a condition.
  public init(_ test: Test, include: Bool = true) {
    self.test = test
    self.include = include
  }

  /// What a condition asks. What is not known of a visitor does not meet a test.
  public enum Test: Hashable, Sendable {
    /// The values of the custom datum with that index (as decimal digits) or name.
    case custom(String, SegmentTextTest)
    /// The visitor reached the goal, or any goal when nil.
    case conversion(GoalID?)
    /// The visitor has no assignment of that kind in any other experiment than the one now asked.
    case exclusiveCampaign(Campaign)
    /// The visitor is interested in that.
    case interest(Int)
    /// The number of visits, the current one included.
    case visits(SegmentComparison, Int)
    /// The number of visits of today, the current one included. Days are those of UTC, moved by the offset.
    case visitsToday(SegmentComparison, Int, offsetMinutes: Int)
    /// Whether the visitor has no earlier visit.
    case isNewVisitor(Bool)
    /// Seconds since the first visit began; not met during that visit.
    case sinceFirstVisit(SegmentComparison, seconds: Double)
    /// Seconds since the visit before this one began; not met when there was none.
    case sinceLastVisit(SegmentComparison, seconds: Double)
    /// The browser, and how its version compares.
    case browser(String, VersionTest?)
    /// The operating system, and how its version compares.
    case system(String, VersionTest?)
    /// How the version of the app compares.
    case applicationVersion(VersionTest)
    /// The sort of device.
    case device(VisitorDevice)
    /// Where the visitor is; what is nil may be anything.
    case place(country: String?, region: String?, city: String?)
    /// The value of the cookie with that name.
    case cookie(String, SegmentTextTest)
    /// The address of the page seen last.
    case pageAddress(SegmentTextTest)
    /// The title of the page seen last.
    case pageTitle(SegmentTextTest)
    /// The address of the page seen before the last one.
    case previousPage(SegmentTextTest)
    /// How often the page with that address was seen, or any page when nil.
    case pageViews(String?, SegmentComparison, Int)
    /// The id of the user.
    case userID(SegmentTextTest)
    /// The visitor meets the segment with that id.
    case segment(String, VisitorSegment)
    /// The visitor has an assignment in the flag: to that variation, by that rule; nil is any.
    case flag(ExperimentID, variation: VariationID?, rule: String?)
    /// The visitor has an assignment in the experiment, or by a flag's rule in it; nil is any variation.
    case experiment(ExperimentID, variation: VariationID?)
    /// How likely the visitor is to reach the goal, or any goal when nil.
    case likelihoodToConvert(GoalID?, SegmentComparison, Double)
    /// A type that this version does not know: it is met, whatever `include` says.
    case unknown(type: String, JSONObject)
  }

  /// Which assignments an exclusive campaign must not have beside it.
  public enum Campaign: String, Hashable, Sendable, CaseIterable {
    /// Those of experiments.
    case experiment = "EXPERIMENT"
    /// Those of personalizations and targeted deliveries.
    case personalization = "PERSONALIZATION"
    /// All.
    case any = "ANY"
  }

  /// How a version must compare, as major, minor and patch.
  public struct VersionTest: Hashable, Sendable {
    /// How it must compare.
    public var comparison: SegmentComparison
    /// With which version.
    public var version: String

    /// Makes a test.
    public init(_ comparison: SegmentComparison, _ version: String) {
      self.comparison = comparison
      self.version = version
    }

    /// Whether the version compares so; not when one of the two cannot be read.
    func isMet(by other: String?) -> Bool {
      comparison.holds(other.flatMap { VersionNumber($0) }, VersionNumber(version))
    }
  }

  /// What whoever wrote the condition should know of it.
  var warning: String? {
    switch test {
    case .unknown(let type, _):
      "a condition of the type \"\(type)\" is not known here and counts as met; remove it, or use a known type"
    case .segment(let id, let segment):
      segment.warnings.first.map { "segment \"\(id)\": \($0)" }
    default:
      unreadablePattern.map {
        "the pattern \"\($0.source)\" cannot be read and matches nothing: \($0.flaw ?? "")"
      }
    }
  }

  private var unreadablePattern: TextPattern? {
    switch test {
    case .custom(_, let text), .cookie(_, let text), .pageAddress(let text), .pageTitle(let text),
      .previousPage(let text), .userID(let text):
      guard case .regularExpression(let pattern) = text, !pattern.isReadable else { return nil }
      return pattern
    default: return nil
    }
  }
}
