public import EventLog
internal import Events
public import Specifications

/// Audits the logged propensities of confirmed and provisional decisions: whether they are present, whether they are
/// valid probabilities, and whether they agree with the choices and their probabilities.
///
/// Events need not be grouped by unit, and rows may come in any order; all sums are exact. The state takes 2.3 KB per
/// experiment, and 1.2 KB per variant with probabilities.
public struct PropensityProjector: Projector {
  /// The accumulated state.
  public struct State: StateFields {
    var experiments = SegmentTable(PropensityTally(), .names(.experiments), .below(1))
    var variants = SegmentTable(CalibrationTally(), .names(.variants), .names(.experiments))
    /// The decisions with a variant among their choices.
    var listings = SegmentTable(0, .names(.variants), .names(.experiments))
    /// For a list of choices of the batch and an experiment, the indices of its variants in the table.
    fileprivate var places: [UInt64: [Int]] = [:]
    /// For a list of choices of the batch and an experiment, the decisions with it.
    fileprivate var lists: [UInt64: Int] = [:]

    /// The counts so far, by codes of the log.
    public var tallies: PropensityTallies {
      var result = PropensityTallies()
      for (place, tally) in experiments.tallies.enumerated() {
        result.experiments[experiments.segment(at: place).subject] = tally
      }
      for (place, tally) in variants.tallies.enumerated() {
        let (variant, experiment) = variants.segment(at: place)
        result.variants[.init(experiment: experiment, variant: variant)] = tally
      }
      for (place, count) in listings.tallies.enumerated() {
        let (variant, experiment) = listings.segment(at: place)
        result.listings[.init(experiment: experiment, variant: variant)] = count
      }
      return result
    }

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&experiments, other.experiments)
      visit(&variants, other.variants)
      visit(&listings, other.listings)
    }
  }

  /// The part of the log to read; the dimension is ignored.
  public var selection: UnitSelection

  /// Other columns without which decisions do not count either.
  var others: EventColumns = []

  /// Creates a projector of a part of a log.
  public init(_ selection: UnitSelection = UnitSelection()) {
    self.selection = selection
  }

  /// The columns of decisions and their choices.
  public var columns: EventColumns {
    var columns: EventColumns = [
      .time, .experiment, .variant, .status, .propensity, .choices, .probabilities,
    ]
    if !selection.leftOutReasons.isEmpty { columns.insert(.reason) }
    return columns.union(others)
  }

  /// The frames with decisions.
  public var filter: FrameFilter {
    FrameFilter(
      kinds: [.decision], since: selection.since.map { Timestamp(microseconds: $0) },
      until: selection.until.map { Timestamp(microseconds: $0) },
      experiments: selection.experiments, from: selection.from)
  }

  public func makeState() -> State { State() }

  /// Adds the decisions of a batch.
  ///
  /// - Complexity: O(rows × choices of decisions that have any).
  public func apply(_ batch: EventBatch, to state: inout State) {
    // Lists of choices are numbered anew in every batch.
    state.places.removeAll(keepingCapacity: true)
    for row in 0..<batch.count where isMade(batch, row) {
      let place = state.experiments.place(of: batch.experiments[row], 0)
      state.experiments.tallies[place].decisions += 1
      let propensity = countPropensity(batch, row, &state.experiments.tallies[place])
      guard batch.choices.codes[row] > 0 else { continue }
      state.lists[Self.key(batch, row), default: 0] += 1
      takeChoices(batch, row, propensity, place, &state)
    }
    for (key, count) in state.lists {
      let list = UInt32(truncatingIfNeeded: key)
      for variant in batch.choices.distinctVariants(of: list) {
        state.listings.tallies[state.listings.place(of: variant, UInt32(key >> 32))] += count
      }
    }
    state.lists.removeAll(keepingCapacity: true)
  }

  /// The experiment of a row and its list of choices.
  private static func key(_ batch: EventBatch, _ row: Int) -> UInt64 {
    UInt64(batch.experiments[row]) << 32 | UInt64(batch.choices.codes[row])
  }

  private func isMade(_ batch: EventBatch, _ row: Int) -> Bool {
    guard batch.kinds[row] == EventKind.decision.rawValue else { return false }
    let status = batch.statuses[row]
    guard
      status == 0 || status == EventStatus.confirmed.rawValue
        || status == EventStatus.provisional.rawValue
    else { return false }
    if let since = selection.since, batch.times[row] < since { return false }
    if let until = selection.until, batch.times[row] >= until { return false }
    if batch.basePosition + UInt64(row) < selection.from { return false }
    if !selection.leftOutReasons.isEmpty, selection.leftOutReasons.contains(batch.reasons[row]) {
      return false
    }
    return selection.experiments?.contains(batch.experiments[row]) ?? true
  }

  /// Returns the propensity if it is valid.
  private func countPropensity(
    _ batch: EventBatch, _ row: Int, _ tally: inout PropensityTally
  ) -> Double? {
    guard let propensity = batch.propensities[row] else {
      tally.withoutPropensity += 1
      return nil
    }
    if propensity > 0, propensity <= 1 { return propensity }
    tally.outOfRange += 1
    return nil
  }

  private static func hasRepeated(_ choices: ArraySlice<UInt32>) -> Bool {
    guard choices.count <= 16 else { return Set(choices).count < choices.count }
    for index in choices.indices where choices[..<index].contains(choices[index]) { return true }
    return false
  }

  private func takeChoices(
    _ batch: EventBatch, _ row: Int, _ propensity: Double?, _ place: Int, _ state: inout State
  ) {
    let listed = batch.choices.variants(of: batch.choices.codes[row])
    guard !Self.hasRepeated(listed) else {
      // Reports count a variant that is listed twice once; what was logged of its probability cannot be judged.
      let distinct = Set(listed).count
      state.experiments.tallies[place].withChoices += 1
      if !listed.contains(batch.variants[row]) {
        state.experiments.tallies[place].notAmongChoices += 1
      } else if let propensity {
        state.experiments.tallies[place].addInverse(propensity, choices: distinct)
      }
      return
    }
    let choices = listed
    let chosen = choices.firstIndex(of: batch.variants[row]).map { $0 - choices.startIndex }
    state.experiments.tallies[place].withChoices += 1
    if chosen == nil { state.experiments.tallies[place].notAmongChoices += 1 }
    var possible = choices.count
    if let probabilities = batch.probabilities[row], probabilities.count == choices.count {
      state.experiments.tallies[place].withProbabilities += 1
      if let chosen, let number = batch.propensities[row] {
        state.experiments.tallies[place].compared += 1
        let entry = probabilities[probabilities.startIndex + chosen]
        // Written so that a NaN differs from everything.
        let isSame = abs(entry - number) <= PropensityTally.tolerance
        if !isSame { state.experiments.tallies[place].different += 1 }
      }
      if Self.canBeRight(probabilities) {
        possible = probabilities.count { $0 > 0 }
        if let chosen { calibrate(batch, row, probabilities, chosen, &state) }
      } else {
        state.experiments.tallies[place].wrongSums += 1
      }
    }
    // A decision whose variant is not among its choices says nothing about how many there are.
    if let propensity, chosen != nil, possible > 0 {
      state.experiments.tallies[place].addInverse(propensity, choices: possible)
    }
  }

  /// Returns whether the numbers are between 0 and 1 and sum to 1, within ``PropensityTally/tolerance``.
  static func canBeRight(_ probabilities: ArraySlice<Double>) -> Bool {
    var sum = 0.0
    for probability in probabilities {
      guard probability >= 0, probability <= 1 else { return false }
      sum += probability
    }
    return abs(sum - 1) <= PropensityTally.tolerance
  }

  private func calibrate(
    _ batch: EventBatch, _ row: Int, _ probabilities: ArraySlice<Double>, _ chosen: Int,
    _ state: inout State
  ) {
    let places = places(batch, row, &state)
    for (index, probability) in probabilities.enumerated() {
      state.variants.tallies[places[index]].add(probability, isChosen: index == chosen)
    }
  }

  /// Returns the indices in the table of the variants of a row's choices, looked up once for each list of a batch.
  private func places(_ batch: EventBatch, _ row: Int, _ state: inout State) -> [Int] {
    let list = batch.choices.codes[row]
    let key = Self.key(batch, row)
    if let places = state.places[key] { return places }
    let places = batch.choices.variants(of: list).map {
      state.variants.place(of: $0, batch.experiments[row])
    }
    state.places[key] = places
    return places
  }
}
