public import EventLog
internal import Events

/// Counts the distinct units of the decisions of each variant.
///
/// The state has one bit per unit and variant, in pages of 32,768 units that are allocated on first use: at most 4 KiB
/// per page and variant, and 4 bytes for a page that is not used.
public struct DistinctUnitProjector: Projector {
  /// The units seen so far.
  public struct State: Sendable {
    var pairs: PairCodes
    var units: UnitSets
  }

  private let experimentLimit: UInt32
  private let variantLimit: UInt32
  private let unitLimit: UInt32

  /// Creates a projector for a log.
  public init(_ log: LogReader) {
    experimentLimit = log.codeLimit(.experiments)
    variantLimit = log.codeLimit(.variants)
    unitLimit = log.codeLimit(.units)
  }

  /// The units and the names of experiments and variants.
  public var columns: EventColumns { [.unit, .experiment, .variant] }

  /// The frames with decisions.
  public var filter: FrameFilter { FrameFilter(kinds: [.decision]) }

  public func makeState() -> State {
    State(
      pairs: PairCodes(experiments: experimentLimit, variants: variantLimit),
      units: UnitSets(unitLimit: unitLimit))
  }

  public func apply(_ batch: EventBatch, to state: inout State) {
    state.pairs.load(batch)
    state.units.reserve(state.pairs.limit)
    state.units.insert(batch.units, into: state.pairs.codes, of: batch.kinds, .decision)
  }

  public func merge(_ later: State, into state: inout State) {
    for code in 0..<later.pairs.limit where later.units.count(code) > 0 {
      let (experiment, variant) = later.pairs.pair(of: code)
      let own = state.pairs.code(of: experiment, variant)
      state.units.reserve(state.pairs.limit)
      state.units.formUnion(own, with: code, of: later.units)
    }
  }

  /// Returns the number of distinct units of each variant with a decision.
  public func counts(of state: State) -> [CountProjector.Variant: Int] {
    var result: [CountProjector.Variant: Int] = [:]
    for code in 0..<state.pairs.limit {
      let count = state.units.count(code)
      guard count > 0 else { continue }
      let (experiment, variant) = state.pairs.pair(of: code)
      result[CountProjector.Variant(experiment: experiment, variant: variant)] = count
    }
    return result
  }
}
