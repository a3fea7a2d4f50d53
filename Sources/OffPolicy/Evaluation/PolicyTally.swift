internal import Replay
public import Specifications
internal import Statistics

/// The estimates of the value of one target policy, with what tells whether the log can answer.
public struct PolicyTally: StateFields {
  /// The facts about decisions that an estimator needs.
  struct Input: Hashable, Sendable {
    var model: RewardModelUse
    var weights: WeightKind
    /// Whether whole decisions have to be complete.
    var isWhole = false

    /// The weights, whatever the model.
    var use: WeightUse { WeightUse(weights: weights, isWhole: isWhole) }
  }

  /// A kind of weights, of decisions or of whole decisions.
  struct WeightUse: Hashable, Sendable {
    var weights: WeightKind
    var isWhole: Bool
  }

  /// The estimate of each estimator.
  public internal(set) var estimates: [OffPolicyEstimate]
  /// The importance weights of the decisions, by the logged propensities.
  public internal(set) var weights = WeightDiagnostics()
  /// The importance weights by their kind; of whole decisions the products of the weights of their slots.
  var otherWeights: [WeightUse: WeightDiagnostics] = [:]
  /// The part of the policy's probability that the log can speak of.
  public internal(set) var support = SupportTally()
  /// Decisions in whose situation the policy says nothing, which are left out.
  public internal(set) var undecided = 0
  /// Decisions with what the policy never saw when it was learned: a slot, a choice, or a value of an attribute.
  public internal(set) var unseen = 0
  /// Decisions whose weight or prediction is not finite, which are left out.
  public internal(set) var notFinite = 0
  /// The variants that the policy names and the log does not have, sorted.
  public internal(set) var absentVariants: [String] = []
  /// Whether the policy names variants and the log has none of them, so that there is nothing to estimate.
  public internal(set) var isAbsent = false
  /// For each estimator the difference to ``OffPolicyPlan/versus``; nil for one that is not by terms, and all nil for
  /// that policy itself or without one.
  public internal(set) var differences: [PairedDifference?]
  /// For each estimator the bootstrap replicates; nil for one that is not by terms, or if there are none.
  public internal(set) var bootstraps: [TermBootstrap?]
  /// The estimates by number of the period; empty unless the plan has ``OffPolicyPlan/divides``.
  public internal(set) var periods: [Int64: PeriodTally] = [:]
  /// The estimates by number of the place; empty unless the plan has ``OffPolicyPlan/dividesSlots``.
  public internal(set) var slots: [UInt32: SlotTally] = [:]

  /// The distinct inputs of the estimators, and the one of each.
  let inputs: [Input]
  private let inputOfEstimator: [Int]
  private let logged: Int
  /// The first input of each kind of weights but the logged ones.
  private(set) var otherInputs: [(use: WeightUse, input: Int)] = []
  let estimators: [any OffPolicyEstimator]
  let intervals: [any IntervalMethod]
  /// By unit, the sum of (w − 1) over its decisions: the sum, and that of the squares.
  var excess = Moments()

  init(_ plan: OffPolicyPlan, isCompared: Bool = false) {
    self.init(plan.estimators, plan.intervals, plan.bootstrap, isCompared: isCompared)
  }

  init(
    _ estimators: [any OffPolicyEstimator], _ intervals: [any IntervalMethod],
    _ bootstrap: BootstrapInterval? = nil, isCompared: Bool = false
  ) {
    (self.estimators, self.intervals) = (estimators, intervals)
    estimates = estimators.map { OffPolicyEstimate($0, intervals: intervals) }
    differences = estimators.map {
      isCompared ? ($0 as? any TermEstimator).map { PairedDifference($0) } : nil
    }
    bootstraps = estimators.map {
      $0 is any TermEstimator ? bootstrap?.makeState(for: $0) : nil
    }
    var inputs = [Input(model: .none, weights: .logged)]
    var places: [Int] = []
    for estimator in estimators {
      let input = Input(
        model: estimator.rewardModel, weights: estimator.weights,
        isWhole: estimator.judgesWholeDecisions)
      let place = inputs.firstIndex(of: input) ?? inputs.count
      if place == inputs.count { inputs.append(input) }
      places.append(place)
    }
    self.inputs = inputs
    let own = inputs[0].use
    for (place, input) in inputs.enumerated() where input.use != own {
      guard otherWeights[input.use] == nil else { continue }
      otherWeights[input.use] = WeightDiagnostics()
      otherInputs.append((input.use, place))
    }
    inputOfEstimator = places
    logged = 0
  }

  /// The difference of the mean weight and 1 over its standard error by unit, if the mean were 1; nil if all weights
  /// are 1.
  public var weightStatistic: Double? {
    let squares = excess.totalOfSquares.value
    return squares > 0 ? excess.sum / squares.squareRoot() : nil
  }

  /// Returns the importance weights that an estimator uses; for one of whole decisions, the products of the weights of
  /// their slots.
  ///
  /// - Parameter estimator: The index of the estimator.
  /// - Returns: The weights.
  public func weights(of estimator: Int) -> WeightDiagnostics {
    otherWeights[inputs[inputOfEstimator[estimator]].use] ?? weights
  }

  /// Adds the weight of a number of equal decisions of the first of the ``inputs``.
  mutating func add(weightOf decision: LoggedDecision, times: Int = 1) {
    weights.add(decision, times: times)
  }

  /// Adds the decisions of a unit, but for their ``weights``.
  ///
  /// - Parameters:
  ///   - unit: The decisions for each input.
  ///   - key: A hash of the unit.
  ///   - times: The number of such units; other than 1 only if they have one decision each.
  mutating func add(_ unit: UnitDecisions, key: UInt64, times: Int = 1) {
    guard !unit.decisions[logged].isEmpty else { return }
    var sum = SmallSum()
    for decision in unit.decisions[logged] { sum.add(decision.weight - 1) }
    excess.add(sum.value, times: times)
    for (use, input) in otherInputs { otherWeights[use]?.add(unit.decisions[input], use, times) }
    for estimator in estimates.indices {
      let decisions = unit.decisions[inputOfEstimator[estimator]]
      estimates[estimator].add(unit: decisions.span, times: times, key: key)
      bootstraps[estimator]?.add(unit: decisions.span, times: times, key: key)
    }
  }

  /// Adds the decisions of a unit that the policy shares with the one that it is compared to.
  mutating func add(_ unit: UnitDecisions, versus other: UnitDecisions, times: Int = 1) {
    for estimator in differences.indices where differences[estimator] != nil {
      let (own, others) = unit.paired(with: other, inputOfEstimator[estimator])
      differences[estimator]?.add(unit: own.span, versus: others.span, times: times)
    }
  }

  /// Adds the decisions of a unit to the periods of their times.
  mutating func add(_ unit: UnitDecisions, times: [Int64], _ divided: EvaluationPeriods) {
    for (decision, row) in zip(unit.decisions[logged], unit.rows[logged]) {
      tally(divided.index(of: times[row])) { $0.add(weight: decision.weight) }
    }
    for estimator in estimators.indices where estimators[estimator] is any TermEstimator {
      let input = inputOfEstimator[estimator]
      let (decisions, rows) = (unit.decisions[input], unit.rows[input])
      var start = 0
      while start < rows.count {
        let period = divided.index(of: times[rows[start]])
        // A unit's rows are in order of time.
        let end =
          rows[start...].firstIndex { divided.index(of: times[$0]) != period } ?? rows.count
        tally(period) { $0.add(estimator, unit: decisions[start..<end]) }
        start = end
      }
    }
  }

  /// Adds the decisions of a unit to their places.
  mutating func addSlots(_ unit: UnitDecisions, places: [UInt32], key: UInt64) {
    for place in Set(places) {
      let own = { (input: Int) in
        zip(unit.decisions[input], unit.rows[input]).compactMap {
          places[$0.1] == place ? $0.0 : nil
        }
      }
      slots[place, default: SlotTally(estimators, intervals)].add(key: key) {
        own(inputOfEstimator[$0])
      }
    }
  }

  private mutating func tally(_ period: Int64, _ change: (inout PeriodTally) -> Void) {
    change(&periods[period, default: PeriodTally(estimators)])
  }
}

extension PolicyTally {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    for index in estimates.indices {
      visit(&estimates[index], other.estimates[index])
      visit(&differences[index], other.differences[index])
      visit(&bootstraps[index], other.bootstraps[index])
    }
    visit(&weights, other.weights)
    for (use, _) in otherInputs { visit(&otherWeights[use], other.otherWeights[use]) }
    visit(&excess, other.excess)
    visit(&support, other.support)
    visit(&undecided, other.undecided)
    visit(&unseen, other.unseen)
    visit(&notFinite, other.notFinite)
    visit.entries(&periods, other.periods, .numbers, PeriodTally(estimators))
    visit.entries(&slots, other.slots, .places, SlotTally(estimators, intervals))
  }
}

extension WeightDiagnostics {
  /// Adds the decisions of a unit, or of a number of such units.
  fileprivate mutating func add(
    _ decisions: [LoggedDecision], _ use: PolicyTally.WeightUse, _ times: Int
  ) {
    guard use.isWhole else {
      for decision in decisions { add(decision, times: times) }
      return
    }
    var index = 0
    while index < decisions.count {
      var product = 1.0
      repeat {
        product *= decisions[index].weight
        index += 1
      } while index < decisions.count && decisions[index].isContinuation
      if let whole = LoggedDecision(reward: 0, weight: product) { add(whole, times: times) }
    }
  }
}
