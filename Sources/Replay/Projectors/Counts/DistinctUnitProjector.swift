public import EventLog
internal import Events

/// How many distinct units the decisions of each variant have.
///
/// The state has a bit for each unit and variant, in pages of 32,768 units that are made when the first of them comes:
/// at most 4 KiB for each page and variant, and 4 bytes for a page that nobody needs.
public struct DistinctUnitProjector: Projector {
  /// The units seen so far.
  public struct State: Sendable {
    var pairs: PairCodes
    var units: UnitSets
  }

  private let experimentLimit: UInt32
  private let variantLimit: UInt32
  private let unitLimit: UInt32

  /// Units of a log.
  public init(_ log: LogReader) {
    experimentLimit = log.codeLimit(.experiments)
    variantLimit = log.codeLimit(.variants)
    unitLimit = log.codeLimit(.units)
  }

  /// Units and the names of experiments and variants.
  public var columns: EventColumns { [.unit, .experiment, .variant] }

  /// Frames with decisions.
  public var filter: FrameFilter { FrameFilter(kinds: [.decision]) }

  /// No units.
  public func makeState() -> State {
    State(
      pairs: PairCodes(experiments: experimentLimit, variants: variantLimit),
      units: UnitSets(unitLimit: unitLimit))
  }

  /// Takes the units of a batch.
  public func apply(_ batch: EventBatch, to state: inout State) {
    state.pairs.load(batch)
    state.units.reserve(state.pairs.limit)
    state.units.insert(batch.units, into: state.pairs.codes, of: batch.kinds, .decision)
  }

  /// Adds the units of another part.
  public func merge(_ later: State, into state: inout State) {
    for code in 0..<later.pairs.limit where later.units.count(code) > 0 {
      let (experiment, variant) = later.pairs.pair(of: code)
      let own = state.pairs.code(of: experiment, variant)
      state.units.reserve(state.pairs.limit)
      state.units.formUnion(own, with: code, of: later.units)
    }
  }

  /// How many units each variant with a decision has.
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
