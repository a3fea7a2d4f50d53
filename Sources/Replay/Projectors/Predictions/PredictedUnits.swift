internal import Prediction
internal import Specifications
internal import Threads

/// The scores of predictors without a pool as the state of a pass over units.
final class PredictedUnits: UnitSlotting {
  private let content: Monitor<PredictionState>

  /// Creates an empty state of some rules.
  init(_ rules: PredictionRules) {
    content = Monitor(PredictionState(rules.plan, predictors: rules.all.count))
  }

  /// The scores.
  var state: PredictionState {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  // A pass with studies is not made by showing units.

  var needs: UnitNeeds { [] }
  var bytesPerGroup: Int { 0 }
  var bytesPerRow: Int { 0 }

  func makeRun(_ context: UnitContext) -> any UnitRunning { Run() }

  private final class Run: UnitRunning {
    func apply(_ history: Span<UnitEvent>, _ lateness: Int64) {}
    var groupCount: Int { 0 }
    var groupKind: GroupLimitError.Kind { .variants }
    func finish() {}
  }

  // The state has the names of its numbers.

  func written(_ context: UnitContext, _ codes: StateCodes) throws(StateError) -> [UInt8] {
    var writer = StateWriter()
    state.canonical.write(to: &writer)
    return writer.bytes
  }

  func add(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    let more = try PredictionState(
      state.plan, predictors: state.tallies.count, from: &reader)
    content.withLock { $0.merge(more) }
  }
}

extension MergedUnits {
  /// Returns the scores of predictors that were merged.
  ///
  /// - Throws: `StateError` if states are damaged.
  package func predictions(_ rules: PredictionRules) throws -> PredictionResult {
    let slot = PredictedUnits(rules)
    _ = try exchange?.pass([slot]) { UnitContext() }
    return PredictionResult(slot.state, rules)
  }
}

extension PredictionResult {
  /// Creates the result of some rules.
  init(_ state: PredictionState, _ rules: PredictionRules) {
    self.init(
      plan: state.plan,
      predictors: zip(rules.all, state.tallies).map { predictor, tallies in
        Scored(
          predictor: predictor, isWanted: rules.predictors.contains(predictor),
          isBaseline: rules.baselines.contains(predictor), tallies: tallies)
      }, ledger: state.total, skills: state.skills)
  }
}
