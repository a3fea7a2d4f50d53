internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics
internal import Threads

/// Replays the learning policies of a plan over the decisions of a log.
struct LearningPolicies {
  private let plan: OffPolicyPlan
  private let source: EvaluationSource
  private let entries: [CreditedDecision]
  private let places: ReplayedPlaces
  private let features: DecisionFeatures?
  private let jobs: Int

  /// Reads the decisions in order.
  ///
  /// - Throws: `LogError` if the units cannot be read.
  init(
    _ plan: OffPolicyPlan, _ decisions: EvaluatedDecisions, _ features: DecisionFeatures?,
    jobs: Int
  ) throws {
    self.plan = plan
    self.features = features
    self.jobs = jobs
    source = decisions.source
    let pile = try decisions.show(
      to: OrderedDecisions(
        needs: decisions.needs, attribution: decisions.attribution, source: decisions.source))
    entries = try CreditedDecisions(pile, jobs: jobs).all()
    places = ReplayedPlaces(entries, source)
  }

  /// Returns what came of each policy; identical for any number of threads.
  ///
  /// - Throws: `SpecificationError` if a policy does not support the problem.
  func tallies() throws -> [LearningPolicyTally] {
    let order = entries.indices.sorted {
      (entries[$0].unit, entries[$0].index) < (entries[$1].unit, entries[$1].index)
    }
    return try plan.learningPolicies.map { try tally($0, order) }
  }

  private func tally(_ policy: ReplayedPolicy, _ order: [Int]) throws -> LearningPolicyTally {
    let floor = policy.floor ?? places.leastPropensity
    var tally = LearningPolicyTally(
      policy, runs: plan.runs, intervals: plan.intervals, floor: floor,
      belowFloor: entries.count { $0.propensity < floor })
    let outcomes = try outcomes(of: policy)
    if let rewards = places.rewards, let place = places.places.first(where: { $0.decisions > 0 }) {
      let prepared = try PolicyCatalog.standard.named(
        policy.policy.description, variants: place.variants.map { source.names[$0] ?? "" })
      tally.scaleNote = prepared.scaleNote(rewards)
    }
    tally.agreed = outcomes.reduce(0) { $0 + $1.agreed }
    var unit: [LoggedDecision] = []
    for (place, index) in order.enumerated() {
      let entry = entries[index]
      for outcome in outcomes {
        let isAccepted = outcome.isAccepted[index]
        if isAccepted { tally.accepted += 1 }
        if let decision = LoggedDecision(reward: entry.reward, weight: isAccepted ? 1 : 0) {
          unit.append(decision)
        }
      }
      let isLast = place + 1 == order.count || entries[order[place + 1]].unit != entry.unit
      guard isLast else { continue }
      tally.estimate.add(unit: unit.span, key: source.hashes[entry.unit])
      unit.removeAll(keepingCapacity: true)
    }
    return tally
  }

  private func outcomes(of policy: ReplayedPolicy) throws -> [PolicyReplay.Outcome] {
    let replay = PolicyReplay(
      policy: policy, policies: .standard, entries: entries, places: places, source: source,
      features: features)
    let (runs, seed) = (plan.runs, plan.seed)
    return try Workers.map(runs, jobs: jobs) { try replay.outcome(run: $0, seed: seed) }
  }
}
