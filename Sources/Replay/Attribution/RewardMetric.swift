public import Specifications

/// What makes up the reward of a decision: which goals or conversions count for it, and what each of them is worth.
///
/// The quantities are those of ``Metric`` that count goals or conversions, for decisions instead of units:
/// `bandolier explain reward` has their meanings. With `:goal=NAME` only those of that name count.
public struct RewardMetric: Hashable, Sendable {
  /// The metric, whose window is that of the attribution.
  public let metric: Metric
  /// How events are counted.
  private(set) var signal: RewardSignal

  /// The values of all goals.
  public static let standard = RewardMetric(count: .reward)

  private init(count: Metric.Count) {
    metric = Metric(count)
    signal = RewardSignal(count)
  }

  /// The quantity, and the goal or conversion that it is restricted to.
  public var term: Metric.Term { metric.term }

  /// Creates a metric; nil for a ratio, decisions and visits, which are not credited to decisions, and for one with a
  /// cap, which is one of units.
  public init?(_ metric: Metric) {
    guard metric.denominator == nil, metric.term.count.takesGoal, metric.cap == nil else { return nil }
    self.metric = metric
    // No event has this code, until that of the goal is known.
    signal = RewardSignal(metric.term.count, goal: metric.term.goal.map { _ in .max })
  }

  /// Parses a metric.
  ///
  /// - Throws: `SpecificationError` that lists the available metrics.
  public init(parsing text: String) throws(SpecificationError) {
    let name = try Specification(parsing: text).name
    guard name == "ratio" || Metric.Count(rawValue: name) != nil else {
      throw SpecificationError(NearestName.unknown("metric", name, among: Self.forms))
    }
    try self.init(ofDecisions: try Metric(parsing: text))
  }

  /// Creates a metric.
  ///
  /// - Throws: `SpecificationError` for one that is not credited to decisions.
  public init(ofDecisions metric: Metric) throws(SpecificationError) {
    guard let own = RewardMetric(metric) else {
      throw SpecificationError(
        "\(metric) is measured for units and not for decisions"
          + (metric.cap == nil ? "; name one of \(Self.forms.joined(separator: ", "))" : ", as its cap is"))
    }
    self = own
  }

  /// The forms of the text of a metric, without goals.
  package static let forms = Metric.Count.allCases.filter(\.takesGoal).map(\.rawValue)

  /// Returns the metric of a log in which its goal has a code; without a code no event counts.
  public func resolved(_ code: UInt32?) -> RewardMetric {
    var metric = self
    if term.goal != nil { metric.signal.goal = code ?? .max }
    return metric
  }

  /// Whether a decision is worth 1 however many events are credited to it.
  public var isBinary: Bool { term.count == .converted }

  /// The decisions and the events that can be rewards.
  package var needs: UnitNeeds { signal.needs }
}

extension RewardMetric: CustomStringConvertible {
  /// The text form, such as `revenue:goal=order`.
  public var description: String { metric.description }
}

/// What single events are worth to the decisions that they are credited to, or to the units for which they count.
struct RewardSignal: Hashable, Sendable {
  let count: Metric.Count
  /// The code of the only goal that counts; nil if all do.
  fileprivate(set) var goal: UInt32?

  init(_ count: Metric.Count, goal: UInt32? = nil) { (self.count, self.goal) = (count, goal) }

  /// Whether a decision is worth as much as one event, however many are credited to it.
  @inline(__always)
  var countsOnce: Bool { count == .converted }

  /// Whether goals can be rewards.
  var readsGoals: Bool { count == .reward || count == .goals || count == .converted }

  /// Whether conversions can be rewards, which belong to no experiment.
  var readsConversions: Bool {
    count == .conversions || count == .revenue || count == .converted
  }

  /// The decisions and the events that can be rewards; for visits, all events.
  var needs: UnitNeeds {
    if count == .visits { return [.decisions, .goals, .conversions, .activity] }
    var needs: UnitNeeds = [.decisions]
    if readsGoals { needs.insert(.goals) }
    if readsConversions { needs.insert(.conversions) }
    return needs
  }

  /// Returns whether a goal, refused or not, or a conversion is one of those that can be credited.
  @inline(__always)
  func takes(_ event: UnitEvent) -> Bool {
    (goal ?? event.subject) == event.subject
      && (event.kind == .conversion ? readsConversions : readsGoals)
  }

  /// Returns the worth of a goal or conversion that can be credited; nil for a negative conversion that makes no
  /// converter.
  @inline(__always)
  func worth(of event: UnitEvent) -> Double? {
    switch count {
    case .reward, .revenue: event.number
    case .converted: event.isConverting ? 1 : nil
    default: 1
    }
  }
}
