internal import Bandits
internal import Replay
internal import Specifications
internal import Statistics

/// Replays a learning policy over the decisions of a log.
struct PolicyReplay {
  /// The outcome of one run.
  struct Outcome: Sendable {
    /// For each decision whether it was accepted.
    var isAccepted: [Bool]
    /// The number of decisions on which the policy agreed with the log.
    var agreed = 0
  }

  /// The state of the policy at one place.
  fileprivate struct Agent {
    var state: any PolicyState
    /// The list of choices that was offered most recently; −1 for none.
    var offered = -1
    /// By code, the index of a variant.
    var indices: [UInt32: Int]
  }

  let policy: ReplayedPolicy
  let policies: PolicyCatalog
  let entries: [CreditedDecision]
  let places: ReplayedPlaces
  let source: EvaluationSource
  /// The features that the policy sees; nil for none.
  let features: DecisionFeatures?

  /// Runs the policy once.
  ///
  /// - Parameters:
  ///   - run: The number of the run, from 0.
  ///   - seed: The seed of all runs.
  /// - Returns: The decisions that were accepted.
  /// - Throws: `SpecificationError` if the policy does not support the problem.
  func outcome(run: Int, seed: UInt64) throws(SpecificationError) -> Outcome {
    let labels = ["replay", policy.policy.description]
    var choices = Xoshiro256(seed: seed, labels: labels + ["choices"], run: UInt64(run))
    var acceptance = Xoshiro256(seed: seed, labels: labels + ["acceptance"], run: UInt64(run))
    let floor = policy.floor ?? places.leastPropensity
    var features = features
    var outcome = Outcome(isAccepted: Array(repeating: false, count: entries.count))
    var agents = try agents()
    for (index, entry) in entries.enumerated() {
      let place = Int(entry.place)
      guard agents[place] != nil else { continue }
      let context = context(of: entry, &features)
      agents[place]?.offer(entry, source)
      guard let choice = agents[place]?.state.choose(context, &choices),
        places.places[place].variants[choice.variant] == entry.variant
      else { continue }
      outcome.agreed += 1
      guard
        entry.propensity <= floor
          || Draw.unit(using: &acceptance) < floor / entry.propensity
      else { continue }
      outcome.isAccepted[index] = true
      agents[place]?.state.learn(choice, entry.reward, context)
    }
    return outcome
  }

  private func agents() throws(SpecificationError) -> [Agent?] {
    var agents: [Agent?] = []
    for place in places.places.indices {
      let variants = places.places[place].variants
      guard !variants.isEmpty else {
        agents.append(nil)
        continue
      }
      let prepared = try policies.named(
        policy.policy.description, variants: variants.map { source.names[$0] ?? "" })
      guard features != nil || !prepared.needsContext else {
        throw SpecificationError(
          "\(prepared.specification) chooses by a context; name what it sees of a decision with --features, such as "
            + "one-hot(slot)")
      }
      agents.append(
        Agent(
          state: try prepared.makeState(places.problem(place, features)),
          indices: Dictionary(
            variants.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })))
    }
    return agents
  }

  /// Returns the features of a decision, as its policy takes them.
  private func context(of row: CreditedDecision, _ features: inout DecisionFeatures?) -> Context {
    guard let map = features?.map else { return .none }
    var vector = FeatureVector()
    if map.specification.isShared {
      features?.write(row.variant, row, into: &vector)
      return Context(shared: vector.dense(map.columnCount))
    }
    var numbers: [Double] = []
    for variant in places.places[Int(row.place)].variants {
      features?.write(variant, row, into: &vector)
      numbers += vector.dense(map.columnCount)
    }
    return Context(variants: numbers)
  }
}

extension PolicyReplay.Agent {
  /// Tells the policy the choices of a decision, if they differ from the previous ones.
  fileprivate mutating func offer(_ row: CreditedDecision, _ source: EvaluationSource) {
    let list = source.context.situations.list(of: row.situation)
    guard list != offered else { return }
    offered = list
    var available = [Bool](repeating: list == 0, count: indices.count)
    for variant in source.context.situations.lists[list] {
      if let index = indices[variant] { available[index] = true }
    }
    state.offer(available)
  }
}
