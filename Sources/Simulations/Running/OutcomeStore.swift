public import Bandits

/// The available outcomes of a plan's runs.
public struct OutcomeStore: Sendable {
  /// The outcomes by pair (environment · policies + policy), then by run; nil for missing runs.
  private var outcomes: [[RunOutcome?]]
  /// The number of available runs.
  public private(set) var count = 0

  /// Creates an empty store.
  public init(_ plan: SimulationPlan) {
    outcomes = [[RunOutcome?]](
      repeating: [RunOutcome?](repeating: nil, count: plan.runs),
      count: plan.environments.count * plan.policies.count)
  }

  /// Returns the outcome of a run of a pair; nil if it is missing.
  public subscript(pair: Int, run: Int) -> RunOutcome? { outcomes[pair][run] }

  /// Returns the available outcomes of a pair in the order of their runs.
  public func outcomes(of pair: Int) -> [RunOutcome] { outcomes[pair].compactMap { $0 } }

  /// Adds an outcome.
  ///
  /// - Returns: Whether the run was missing before.
  @discardableResult
  public mutating func add(_ outcome: RunOutcome, pair: Int, run: Int) -> Bool {
    guard outcomes[pair][run] == nil else { return false }
    outcomes[pair][run] = outcome
    count += 1
    return true
  }

  /// Adds an outcome, unless the run has one.
  ///
  /// - Returns: Whether the run now has this outcome, bit for bit.
  mutating func addOrCompare(_ outcome: RunOutcome, pair: Int, run: Int) -> Bool {
    guard !add(outcome, pair: pair, run: run), let known = outcomes[pair][run] else { return true }
    return OutcomeLine.json(known, pair: pair, run: run)
      == OutcomeLine.json(outcome, pair: pair, run: run)
  }

  /// The first missing run, as its pair and number; nil if there is none.
  public var firstMissing: (pair: Int, run: Int)? {
    for pair in outcomes.indices {
      if let run = outcomes[pair].firstIndex(where: { $0 == nil }) { return (pair, run) }
    }
    return nil
  }
}
