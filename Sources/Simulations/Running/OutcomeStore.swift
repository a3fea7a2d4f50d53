public import Bandits

/// The outcomes of the runs of a plan that are there.
public struct OutcomeStore: Sendable {
  /// By pair (environment · policies + policy), then by the number of the run; nil where a run is not there.
  private var outcomes: [[RunOutcome?]]
  /// How many runs are there.
  public private(set) var count = 0

  /// No run is there.
  public init(_ plan: SimulationPlan) {
    outcomes = [[RunOutcome?]](
      repeating: [RunOutcome?](repeating: nil, count: plan.runs),
      count: plan.environments.count * plan.policies.count)
  }

  /// The outcome of a run of a pair; nil when it is not there.
  public subscript(pair: Int, run: Int) -> RunOutcome? { outcomes[pair][run] }

  /// The outcomes of a pair in the order of their runs, those that are not there left out.
  public func outcomes(of pair: Int) -> [RunOutcome] { outcomes[pair].compactMap { $0 } }

  /// Adds an outcome.
  ///
  /// - Returns: Whether the run was not there before.
  @discardableResult
  public mutating func add(_ outcome: RunOutcome, pair: Int, run: Int) -> Bool {
    guard outcomes[pair][run] == nil else { return false }
    outcomes[pair][run] = outcome
    count += 1
    return true
  }

  /// The first run that is not there, as its pair and number; nil when all are.
  public var firstMissing: (pair: Int, run: Int)? {
    for pair in outcomes.indices {
      if let run = outcomes[pair].firstIndex(where: { $0 == nil }) { return (pair, run) }
    }
    return nil
  }
}
