internal import DecidingCore
public import Events

/// A targeting condition: a test of a visitor, which must or must not be met.
public struct SegmentCondition: Hashable, Sendable {
  /// The test.
  public var test: Test
  /// Whether the test must be met, or must not be met.
  public var include: Bool

  /// Creates a condition.
  public init(_ test: Test, include: Bool = true) {
    self.test = test
    self.include = include
  }

  /// A test of a visitor. It is not met when the value is unknown.
  public enum Test: Hashable, Sendable {
    /// The values of the custom datum with that index (as decimal digits) or name.
    case custom(String, SegmentTextTest)
    /// The visitor reached the goal, or any goal when nil.
    case conversion(GoalID?)
    /// The visitor has no assignment of that kind in any experiment other than the one being evaluated.
    case exclusiveCampaign(Campaign)
    /// The visitor has the interest.
    case interest(Int)
    /// The number of visits, including the current one.
    case visits(SegmentComparison, Int)
    /// The number of visits today, including the current one. Days are those of UTC, shifted by the offset.
    case visitsToday(SegmentComparison, Int, offsetMinutes: Int)
    /// Whether the visitor has no earlier visit.
    case isNewVisitor(Bool)
    /// The seconds since the first visit began; not met during that visit.
    case sinceFirstVisit(SegmentComparison, seconds: Double)
    /// The seconds since the previous visit began; not met when there was none.
    case sinceLastVisit(SegmentComparison, seconds: Double)
    /// The browser, with an optional comparison of its version.
    case browser(String, VersionTest?)
    /// The operating system, with an optional comparison of its version.
    case system(String, VersionTest?)
    /// A comparison of the app version.
    case applicationVersion(VersionTest)
    /// The device type.
    case device(VisitorDevice)
    /// The visitor's location; nil matches anything.
    case place(country: String?, region: String?, city: String?)
    /// The value of the cookie with that name.
    case cookie(String, SegmentTextTest)
    /// The URL of the page viewed last.
    case pageAddress(SegmentTextTest)
    /// The title of the page viewed last.
    case pageTitle(SegmentTextTest)
    /// The URL of the page viewed before the last one.
    case previousPage(SegmentTextTest)
    /// The number of views of the page with that URL, or of any page when nil.
    case pageViews(String?, SegmentComparison, Int)
    /// The id of the user.
    case userID(SegmentTextTest)
    /// The visitor meets the segment with that id.
    case segment(String, VisitorSegment)
    /// The visitor has an assignment in the flag, to that variation and by that rule; nil matches any.
    case flag(ExperimentID, variation: VariationID?, rule: String?)
    /// The visitor has an assignment in the experiment, or by a flag's rule in it; nil matches any variation.
    case experiment(ExperimentID, variation: VariationID?)
    /// The likelihood that the visitor reaches the goal, or any goal when nil.
    case likelihoodToConvert(GoalID?, SegmentComparison, Double)
    /// A type unknown to this version, which is always met, whatever `include` says.
    case unknown(type: String, JSONObject)
  }

  /// The kind of other assignments that an exclusive campaign rules out.
  public enum Campaign: String, Hashable, Sendable, CaseIterable {
    /// Assignments of experiments.
    case experiment = "EXPERIMENT"
    /// Assignments of personalizations and targeted deliveries.
    case personalization = "PERSONALIZATION"
    /// All assignments.
    case any = "ANY"
  }

  /// A comparison of versions by major, minor and patch number.
  public struct VersionTest: Hashable, Sendable {
    /// The comparison.
    public var comparison: SegmentComparison
    /// The version to compare with.
    public var version: String

    /// Creates a test.
    public init(_ comparison: SegmentComparison, _ version: String) {
      self.comparison = comparison
      self.version = version
    }

    /// Returns whether the comparison holds for the version; false when one of the two cannot be parsed.
    func isMet(by other: String?) -> Bool {
      comparison.holds(other.flatMap { VersionNumber($0) }, VersionNumber(version))
    }
  }

  /// The warning for the author of the condition, if there is one.
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
