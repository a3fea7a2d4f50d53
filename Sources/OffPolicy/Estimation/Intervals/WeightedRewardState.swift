public import Specifications
public import Statistics

/// A method that knows between which numbers rewards are.
public protocol BoundedRewardMethod: IntervalMethod {
  /// The rewards that are possible.
  var rewards: RewardLimits { get set }
}

/// The rewards that are possible.
public struct RewardLimits: ParameterGroup {
  /// The least reward.
  public var least = 0.0
  /// The greatest reward.
  public var greatest = 1.0

  /// Creates the limits 0 and 1.
  public init() {}

  public static var parameters: [Field] {
    Field.number("rmin", \.least, in: -1e15...1e15, "least possible reward, {range}")
    Field.number("rmax", \.greatest, in: -1e15...1e15, "greatest possible reward, {range}")
  }
}

extension BoundedRewardMethod {
  var leastReward: Double { rewards.least }
  var greatestReward: Double { rewards.greatest }

  public mutating func validate() throws(SpecificationError) {
    guard leastReward < greatestReward else {
      throw SpecificationError("rmin of \(Self.info.name) must be below rmax")
    }
  }
}

/// A method for the value of a target policy from the weights and rewards of independent decisions: it applies to
/// estimators of these alone (``OffPolicyEstimator/usesWeightsAlone``), and only while every unit has a single
/// decision.
public protocol WeightedRewardMethod: BoundedRewardMethod
where State == WeightedRewardState<Self> {
  /// Returns the interval; nil if the decisions do not determine it.
  ///
  /// - Parameters:
  ///   - sums: The sums of weights and rewards, with all rewards between least and greatest.
  ///   - level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  func interval(of sums: WeightedRewardSums, level: Double) -> Interval?
}

extension WeightedRewardMethod {
  public var distinguishesUnits: Bool { false }

  public func makeState(for estimator: any OffPolicyEstimator) -> WeightedRewardState<Self>? {
    estimator.usesWeightsAlone ? WeightedRewardState(self) : nil
  }
}

/// Exact sums of powers of weights w and rewards r over decisions.
public struct WeightedRewardSums: StateFields, Equatable {
  /// The number of decisions.
  public private(set) var count = 0
  /// The least weight; infinite without decisions.
  public private(set) var leastWeight = Double.infinity
  /// The greatest weight.
  public private(set) var greatestWeight = 0.0
  private var sums = [ExactSum](repeating: ExactSum(), count: 5)

  mutating func add(_ decision: LoggedDecision, times: Int) {
    count += times
    let (w, r) = (decision.weight, decision.reward)
    leastWeight = min(leastWeight, w)
    greatestWeight = max(greatestWeight, w)
    sums[0].add(w, times: times)
    sums[1].add(product: w, w, times: times)
    sums[2].add(product: w, r, times: times)
    sums[3].add(product: w * w, r, times: times)
    sums[4].add(product: w * r, w * r, times: times)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&count, other.count)
    visit.least(&leastWeight, other.leastWeight)
    visit.greatest(&greatestWeight, other.greatestWeight)
    visit(&sums, other.sums)
  }

  /// Σw.
  public var w: Double { sums[0].value }
  /// Σw².
  public var ww: Double { sums[1].value }
  /// Σwr.
  public var wr: Double { sums[2].value }
  /// Σw²r.
  public var wwr: Double { sums[3].value }
  /// Σw²r².
  public var wwrr: Double { sums[4].value }
}

/// The sums of weights and rewards behind an interval.
public struct WeightedRewardState<Method: WeightedRewardMethod>: IntervalState, StateFields {
  private let method: Method
  private var sums = WeightedRewardSums()
  private var leastReward = Double.infinity
  private var greatestReward = -Double.infinity
  private var hasRepeatedUnits = false

  init(_ method: Method) { self.method = method }

  public static func == (a: WeightedRewardState, b: WeightedRewardState) -> Bool {
    a.sums == b.sums && a.leastReward == b.leastReward && a.greatestReward == b.greatestReward
      && a.hasRepeatedUnits == b.hasRepeatedUnits
      && a.method.specification == b.method.specification
  }

  public mutating func add(unit decisions: Span<LoggedDecision>, times: Int, key: UInt64) {
    hasRepeatedUnits = hasRepeatedUnits || decisions.count > 1
    for index in decisions.indices {
      sums.add(decisions[index], times: times)
      leastReward = min(leastReward, decisions[index].reward)
      greatestReward = max(greatestReward, decisions[index].reward)
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&sums, other.sums)
    visit.least(&leastReward, other.leastReward)
    visit.greatest(&greatestReward, other.greatestReward)
    visit(&hasRepeatedUnits, other.hasRepeatedUnits)
  }

  /// Returns the interval; nil without decisions, if a unit has several decisions, or if a reward was outside of its
  /// range.
  public func interval(of sums: OffPolicySums, level: Double) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard self.sums.count > 0, !hasRepeatedUnits, method.leastReward <= leastReward,
      greatestReward <= method.greatestReward
    else { return nil }
    return method.interval(of: self.sums, level: level)
  }
}
