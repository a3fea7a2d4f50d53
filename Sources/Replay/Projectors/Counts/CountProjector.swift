public import EventLog
internal import Events
public import Statistics

/// The counts of a variant or a goal: the number of events, how many of them have a number, and the sum of those
/// numbers.
public struct CountTally: Sendable, Equatable {
  /// Decisions of the variant; or goals of the code that have a value.
  public var count = 0
  /// The number of events with a number.
  public var numbers = 0
  /// The exact sum of these numbers.
  public var sum = ExactSum()
}

/// Counts the decisions of each variant with the sum of their propensities, and the goals of each code with the sum of
/// their values, over the whole log and without attribution, at the speed of reading the columns.
///
/// The state takes 0.8 KB for each pair of an experiment and a variant and for each goal, and half a megabyte to count
/// the decisions of a frame.
public struct CountProjector: Projector {
  /// The counts so far.
  public struct State: Sendable {
    var pairs: PairCodes
    var decisions: [Int] = []
    var propensities = CodeSums()
    var goals = CodeSums()
    var tally: CodeTally
    /// Counts what it can of a batch; nil if pairs have no codes beforehand.
    var cells: PropensityCounts?
    /// Where numbers of a batch that has too many of them for ``cells`` are unpacked.
    var numbers = NumberColumn()
  }

  /// A variant of an experiment, as codes of the log.
  public struct Variant: Hashable, Sendable {
    /// The code of the experiment.
    public var experiment: UInt32
    /// The code of the variant.
    public var variant: UInt32

    /// Creates a variant.
    public init(experiment: UInt32, variant: UInt32) {
      self.experiment = experiment
      self.variant = variant
    }
  }

  private let experimentLimit: UInt32
  private let variantLimit: UInt32
  private let goalLimit: UInt32

  /// Creates a projector for a log.
  public init(_ log: LogReader) {
    experimentLimit = log.codeLimit(.experiments)
    variantLimit = log.codeLimit(.variants)
    goalLimit = log.codeLimit(.goals)
  }

  /// The names of experiments, variants and goals, and two numbers.
  public var columns: EventColumns {
    [.experiment, .variant, .indexedPropensity, .goal, .value]
  }

  /// The frames with decisions or goals.
  public var filter: FrameFilter { FrameFilter(kinds: [.decision, .goal]) }

  public func makeState() -> State {
    let pairs = PairCodes(experiments: experimentLimit, variants: variantLimit)
    var state = State(pairs: pairs, tally: CodeTally(codeLimit: pairs.limit))
    state.goals.reserve(goalLimit)
    state.propensities.reserve(pairs.limit)
    if pairs.areNumberedBeforehand {
      state.cells = PropensityCounts(experiments: experimentLimit, variants: variantLimit)
      state.decisions = Array(repeating: 0, count: Int(pairs.limit))
    }
    return state
  }

  public func apply(_ batch: EventBatch, to state: inout State) {
    state.goals.add(batch.values, by: batch.goals, of: batch.kinds, .goal)
    guard !Self.countCells(of: batch, in: &state) else { return }
    state.pairs.load(batch)
    if state.pairs.limit > state.propensities.counts.count {
      // New pairs have appeared: move the counts to where there is room for them.
      Self.settle(&state)
      state.propensities.reserve(state.pairs.limit)
    }
    state.tally.count(state.pairs.codes, of: batch.kinds, .decision)
    if batch.propensities.present.count == batch.count {
      state.propensities.add(batch.propensities, by: state.pairs.codes, of: batch.kinds, .decision)
    } else {
      state.numbers.load(batch.indexedPropensities)
      state.propensities.add(state.numbers, by: state.pairs.codes, of: batch.kinds, .decision)
    }
  }

  /// Counts the decisions of a batch by propensity.
  ///
  /// - Returns: Whether they are counted.
  private static func countCells(of batch: EventBatch, in state: inout State) -> Bool {
    guard var cells = state.cells else { return false }
    // The only reference, so that nothing is copied.
    state.cells = nil
    defer { state.cells = cells }
    return cells.count(batch) { pair, propensity, count in
      state.decisions[pair] += count
      if let propensity {
        state.propensities.add(propensity, times: count, of: UInt32(pair))
      }
    }
  }

  private static func settle(_ state: inout State) {
    let counts = state.tally.rowCounts
    state.tally = CodeTally(codeLimit: state.pairs.limit)
    state.decisions.append(
      contentsOf: repeatElement(0, count: max(0, Int(state.pairs.limit) - state.decisions.count)))
    for (code, count) in counts.enumerated() { state.decisions[code] += count }
  }

  public func merge(_ later: State, into state: inout State) {
    var later = later
    Self.settle(&later)
    Self.settle(&state)
    for code in 0..<later.pairs.limit {
      let (experiment, variant) = later.pairs.pair(of: code)
      let own = state.pairs.code(of: experiment, variant)
      if Int(own) >= state.decisions.count { Self.settle(&state) }
      state.decisions[Int(own)] += later.decisions[Int(code)]
      if later.propensities.counts[Int(code)] > 0 {
        state.propensities.add(
          later.propensities.sums[Int(code)], count: later.propensities.counts[Int(code)], of: own)
      }
    }
    for (code, count) in later.goals.counts.enumerated() where count > 0 {
      state.goals.add(later.goals.sums[code], count: count, of: UInt32(code))
    }
  }

  /// Returns the counts of every variant with a decision.
  public func variants(of state: State) -> [Variant: CountTally] {
    var state = state
    Self.settle(&state)
    state.propensities.reserve(state.pairs.limit)
    var result: [Variant: CountTally] = [:]
    for code in 0..<state.pairs.limit where state.decisions[Int(code)] > 0 {
      let (experiment, variant) = state.pairs.pair(of: code)
      // Rows that are not decisions have no variant.
      guard variant != 0 else { continue }
      result[Variant(experiment: experiment, variant: variant)] = CountTally(
        count: state.decisions[Int(code)], numbers: state.propensities.counts[Int(code)],
        sum: state.propensities.sums[Int(code)])
    }
    return result
  }

  /// Returns the counts of every goal with a value, by its code. Values of data points belong to no goal.
  public func goals(of state: State) -> [UInt32: CountTally] {
    var result: [UInt32: CountTally] = [:]
    for (code, count) in state.goals.counts.enumerated() where count > 0 && code > 0 {
      result[UInt32(code)] = CountTally(count: count, numbers: count, sum: state.goals.sums[code])
    }
    return result
  }
}
