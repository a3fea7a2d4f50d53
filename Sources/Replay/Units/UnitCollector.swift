internal import EventLog
internal import Events

/// Extracts the events that unit projectors need from the columns of a log, and partitions them by unit.
struct UnitCollector: Projector {
  /// The events extracted from a part of the log.
  struct State: Sendable {
    var events: UnitBuckets
    var arms: ArmRegister
    /// By experiment and variant, the index plus one of the arm at the standard point and slot; 0 if not yet known.
    /// Empty if there are too many names.
    var standardArms: [UInt32] = []
    var values = DimensionRegister()
    /// By dimension, the values of all decisions in their order, if these are numbered.
    var columns: [[UInt32]] = []
    var probabilities = ProbabilityRegister()
    var situations: SituationRegister
    /// The units with a single decision; nil if the events of all units are collected.
    var singleUnits: SingleDecisions?
    /// The kinds of decisions in the current batch; nil if they depend on more than it tells apart, or others use it.
    var recent: RecentKinds?
    /// The latest time of an event that was read.
    var latest = Int64.min
    /// The states of later parts of the log.
    var later: [State] = []

    /// The states of all parts of the log, in its order.
    consuming func parts() -> [State] {
      let others = exchange(&later, with: [])
      return [self] + others
    }
  }

  let needs: UnitNeeds
  let selection: UnitSelection
  let standard: StandardNames
  var bucketCount: Int
  /// The memory limit for the events of a part, in bytes.
  let memoryLimit: Int
  /// Exclusive upper bounds of the codes of experiments and of variants.
  let experimentLimit: Int
  let variantLimit: Int
  /// The folder for temporary files.
  let folder: String
  /// The dimensions.
  var dimensions: [Dimension] = []
  /// Whether decisions are annotated by their numbers, and their values in each dimension are kept beside: of
  /// dimensions whose values are no names or data points.
  var numbersDecisions = false
  /// The codes of the kind, and of the key if one is given, of the data points of the dimension.
  var dataPoint: (kind: UInt32, key: UInt32?)?
  /// How goals are credited to the decisions of units with a single one, which are kept apart; nil to collect the
  /// events of all units.
  var singleUnits: Attribution?

  var columns: EventColumns {
    var columns = needs.columns
    if needs.contains(.decisions) {
      if !selection.leftOutReasons.isEmpty || dimensions.contains(.reason) {
        columns.insert(.reason)
      }
      if dimensions.contains(.policy) { columns.insert(.policy) }
    }
    if dataPoint != nil { columns.formUnion([.dataKind, .key]) }
    return columns
  }

  var attributes: [AttributeSelection] {
    let situation =
      needs.contains(.situations)
      ? selection.contextAttributes.map { AttributeSelection.context($0) }
        + selection.variantFeatures.map { .features($0) } : []
    return situation
      + dimensions.compactMap { dimension in
        switch dimension {
        case .context(let name): .context(name)
        case .data: .data
        default: nil
        }
      }
  }

  var filter: FrameFilter {
    var kinds: Set<EventKind> = []
    if needs.contains(.decisions) { kinds.formUnion([.decision, .decisionConfirmed]) }
    if needs.contains(.goals) { kinds.insert(.goal) }
    if needs.contains(.conversions) { kinds.insert(.conversion) }
    if needs.contains(.activity) { kinds.insert(.dataPoint) }
    if case .data = selection.dimension { kinds.insert(.dataPoint) }
    // Conversions and data points belong to no experiment, so frames without its events are read for them.
    let isOfExperiments = kinds.isSubset(of: [.decision, .decisionConfirmed, .goal])
    return FrameFilter(
      kinds: kinds,
      since: dataPoint == nil ? selection.since.map { Timestamp(microseconds: $0) } : nil,
      until: selection.until.map { Timestamp(microseconds: $0) },
      experiments: isOfExperiments ? selection.experiments : nil, from: selection.from)
  }

  func makeState() -> State {
    var state = makeState(of: selection.experiments?.first, isOneOfMany: false)
    state.recent = makeRecent()
    let pairs = experimentLimit.multipliedReportingOverflow(by: variantLimit)
    if !pairs.overflow, pairs.partialValue <= 1 << 16 {
      state.standardArms = Array(repeating: 0, count: pairs.partialValue)
    }
    return state
  }

  /// Returns the state before the first event of an experiment, to which single decisions belong.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - isOneOfMany: Whether there are states of other experiments, so that this one must be small.
  /// - Returns: The state.
  func makeState(of experiment: UInt32?, isOneOfMany: Bool) -> State {
    var state = State(
      events: UnitBuckets(count: bucketCount, isOneOfMany: isOneOfMany), arms: ArmRegister(),
      situations: SituationRegister(
        attributeCount: situationAttributeCount,
        featureCount: needs.contains(.situations) ? selection.variantFeatures.count : 0))
    if let singleUnits, let experiment {
      state.singleUnits = SingleDecisions(
        singleUnits, experiment: experiment, numbersUnits: isOneOfMany)
    }
    return state
  }

  /// Returns what finds the kinds of single decisions; nil if they depend on more than it tells apart.
  func makeRecent() -> RecentKinds? {
    guard singleUnits != nil, situationAttributeCount == 0, selection.variantFeatures.isEmpty,
      dimensions.isEmpty, selection.leftOutReasons.isEmpty,
      needs.contains([.situations, .propensities, .probabilities])
    else { return nil }
    return RecentKinds()
  }

  private var situationAttributeCount: Int {
    needs.contains(.situations) ? selection.contextAttributes.count : 0
  }

  func apply(_ batch: EventBatch, to state: inout State) throws {
    beginBatch(&state)
    let isWhole = selection.selectsEveryEvent && batch.basePosition >= selection.from
    for row in 0..<batch.count where isWhole || isSelected(batch, row) {
      add(batch, row, to: &state)
    }
    state.events.settle()
    if state.events.byteCount > memoryLimit { try state.events.spill(to: folder) }
  }

  /// Prepares a state for the next batch.
  func beginBatch(_ state: inout State) {
    state.values.beginBatch()
    if needs.contains(.probabilities) { state.probabilities.beginBatch() }
    if needs.contains(.situations) { state.situations.beginBatch() }
    state.recent?.beginBatch()
  }

  /// Adds a selected event.
  @inline(__always)
  func add(_ batch: EventBatch, _ row: Int, to state: inout State) {
    switch EventKind(rawValue: batch.kinds[row]) {
    case .decision: if needs.contains(.decisions) { addDecision(batch, row, &state) }
    case .goal: if needs.contains(.goals) { addGoal(batch, row, &state) }
    case .conversion: if needs.contains(.conversions) { addConversion(batch, row, &state) }
    case .decisionConfirmed: if needs.contains(.decisions) { addConfirmation(batch, row, &state) }
    case .dataPoint:
      if dataPoint != nil { addDataPoint(batch, row, &state) }
      if needs.contains(.activity), isSince(batch, row) { add(.activity, batch, row, &state) }
    default: return
    }
    state.latest = max(state.latest, batch.times[row])
  }

  private func isSelected(_ batch: EventBatch, _ row: Int) -> Bool {
    // Data points before the selected range are still in effect.
    guard
      isSince(batch, row) || dataPoint != nil && batch.kinds[row] == EventKind.dataPoint.rawValue
    else { return false }
    if let until = selection.until, batch.times[row] >= until { return false }
    if batch.basePosition + UInt64(row) < selection.from { return false }
    guard let experiments = selection.experiments else { return true }
    switch EventKind(rawValue: batch.kinds[row]) {
    case .decision, .goal, .decisionConfirmed:
      let experiment = batch.experiments[row]
      return experiments.count == 1
        ? experiments.first == experiment : experiments.contains(experiment)
    default: return true
    }
  }

  private func isSince(_ batch: EventBatch, _ row: Int) -> Bool {
    selection.since.map { batch.times[row] >= $0 } ?? true
  }

  // MARK: Rows

  private func addDecision(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    let key = state.recent == nil ? nil : RecentKinds.Key(batch, row)
    if let key, state.takes(key, batch, row) { return }
    var decision = CollectedDecision(
      time: batch.times[row], unit: batch.units[row], experiment: batch.experiments[row],
      arm: armIndex(batch, row, &state), kind: selection.decisionKind(batch, row))
    if !dimensions.isEmpty { decision.dimension = dimensionIndex(batch, row, &state) }
    let mayCount = decision.kind == .decision || decision.kind == .provisional
    if needs.contains(.probabilities), mayCount || decision.kind == .repeated {
      decision.probabilities = state.probabilities.index(of: batch, row)
      if needs.contains(.choices), decision.probabilities == nil {
        decision.choices = state.probabilities.index(ofChoices: batch, row)
      }
    }
    if needs.contains(.situations), mayCount {
      decision.situation = state.situations.index(of: batch, row)
    }
    if needs.contains(.propensities) { decision.propensity = batch.propensities[row] }
    let isKept = state.keeps(decision, of: batch.variants[row])
    if !isKept { decision.append(to: &state.events.arrived) }
    guard let key,
      let kind = isKept
        ? state.singleUnits?.latestKind
        : state.singleUnits?.number(of: decision, of: batch.variants[row], state.situations)
    else { return }
    state.recent?.keep(kind, for: key, row)
  }

  /// Returns the index of the value of a decision in the dimension, or the number of the decision.
  private func dimensionIndex(_ batch: EventBatch, _ row: Int, _ state: inout State) -> UInt32? {
    guard numbersDecisions else {
      return state.values.index(
        ofDecision: dimensions[0], batch, row, in: selection.calendar, attribute: situationAttributeCount)
    }
    if state.columns.isEmpty { state.columns = dimensions.map { _ in [] } }
    var attribute = situationAttributeCount
    for (place, dimension) in dimensions.enumerated() {
      let value = state.values.index(
        ofDecision: dimension, batch, row, in: selection.calendar, attribute: attribute)
      state.columns[place].append(value ?? 0)
      if case .context = dimension { attribute += 1 }
    }
    return UInt32(truncatingIfNeeded: state.columns[0].count - 1)
  }

  @inline(__always)
  private func armIndex(_ batch: EventBatch, _ row: Int, _ state: inout State) -> UInt32 {
    guard batch.points[row] == 0, batch.slots[row] == 0, !state.standardArms.isEmpty else {
      return state.arms.index(of: standard.arm(batch, row))
    }
    let place = Int(batch.experiments[row]) * variantLimit + Int(batch.variants[row])
    if state.standardArms[place] != 0 { return state.standardArms[place] - 1 }
    let index = state.arms.index(of: standard.arm(batch, row))
    state.standardArms[place] = index + 1
    return index
  }

  private func addGoal(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    let isRefused = batch.statuses[row] == EventStatus.refused.rawValue
    let value = batch.values[row]
    let goal = UnitEvent(
      time: batch.times[row], number: value ?? 1, unit: batch.units[row],
      experiment: batch.experiments[row], subject: batch.goals[row],
      kind: isRefused ? .refusedGoal : .goal, hasNumber: value != nil)
    var place: UInt32?
    if batch.points[row] != 0 || batch.slots[row] != 0 {
      place = state.arms.index(of: standard.namedPlace(batch, row))
    }
    guard !state.keeps(goal, place: place) else { return }
    // Its goal must directly follow.
    if let place { append(.goalPlace, place, batch, row, &state, batch.experiments[row]) }
    state.events.arrived.append(goal)
  }

  private func addConversion(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    let revenue = batch.revenues[row]
    let isNegative = Conversion.isReversal(revenue: revenue, negative: batch.negatives[row] == 2)
    state.events.arrived.append(
      UnitEvent(
        time: batch.times[row], number: Conversion.signed(revenue ?? 0, isNegative: isNegative),
        unit: batch.units[row], experiment: 0, subject: batch.goals[row], kind: .conversion,
        hasNumber: revenue != nil, isNegative: isNegative))
  }

  /// Adds a confirmation, with the arm that it confirms: its variant is 0.
  private func addConfirmation(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    let arm = standard.confirmedArm(batch, row)
    state.release(batch.units[row])
    state.events.arrived.append(
      UnitEvent(
        time: batch.times[row], number: .nan, unit: batch.units[row],
        experiment: batch.experiments[row], subject: state.arms.index(of: arm),
        kind: .confirmation, hasNumber: false))
  }

  private func add(
    _ kind: UnitEvent.Kind, _ batch: EventBatch, _ row: Int, _ state: inout State
  ) {
    state.events.arrived.append(
      UnitEvent(
        time: batch.times[row], number: .nan, unit: batch.units[row], experiment: 0, subject: 0,
        kind: kind, hasNumber: false))
  }

  /// Adds a data point, whose value holds for the unit from here on.
  private func addDataPoint(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    guard let wanted = dataPoint, batch.dataKinds[row] == wanted.kind else { return }
    guard wanted.key == nil || batch.keys[row] == wanted.key else { return }
    append(
      .dataDimension, state.values.index(of: batch, row, attribute: situationAttributeCount), batch,
      row,
      &state)
  }

  private func append(
    _ kind: UnitEvent.Kind, _ index: UInt32, _ batch: EventBatch, _ row: Int, _ state: inout State,
    _ experiment: UInt32 = 0
  ) {
    state.events.arrived.append(
      UnitEvent(
        time: batch.times[row], number: .nan, unit: batch.units[row], experiment: experiment,
        subject: index, kind: kind, hasNumber: false))
  }

  /// Keeps the parts separate, because each has its own codes for arms and values.
  func merge(_ later: State, into state: inout State) { state.later.append(later) }
}

extension UnitCollector.State {
  /// Keeps a decision if it is the only one of its unit; returns whether it did.
  @inline(__always)
  fileprivate mutating func keeps(_ decision: CollectedDecision, of variant: UInt32) -> Bool {
    singleUnits?.take(decision, of: variant, situations, &events.arrived) ?? false
  }

  /// Keeps or collects a decision like one of the batch before; returns whether there is one.
  @inline(__always)
  fileprivate mutating func takes(
    _ key: RecentKinds.Key, _ batch: EventBatch, _ row: Int
  ) -> Bool {
    guard let kind = recent?.number(of: key, batch, row) else { return false }
    singleUnits?.take(
      kind: kind, time: batch.times[row], unit: batch.units[row], &events.arrived)
    return true
  }

  /// Keeps a goal of a unit with a single decision; returns whether it did.
  @inline(__always)
  fileprivate mutating func keeps(_ goal: UnitEvent, place: UInt32?) -> Bool {
    singleUnits?.take(goal: goal, place: place, arms, &events.arrived) ?? false
  }

  /// Releases all units with a single decision.
  mutating func giveUpSingleUnits() { singleUnits?.giveUp(to: &events.arrived) }

  /// Releases the decision of a unit, if it was kept: other events follow it.
  mutating func release(_ unit: UInt32) {
    singleUnits?.release(unit, to: &events.arrived)
  }
}
