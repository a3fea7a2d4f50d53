internal import EventLog
internal import Events
internal import Prediction

/// Extracts the study events from the columns of a log, and partitions them by unit.
///
/// The number of an event is its position, or for a feature its value. The experiment of a decision is the index of
/// its list of choices plus one; that of a take or encounter is the code of the study among the keys of the log.
struct StudyCollector: Projector {
  /// The events extracted from a part of the log.
  struct State: Sendable {
    var events: UnitBuckets
    var register = StudyRegister()
    var values = DimensionRegister()
    var ledger = PredictionLedger()
    var features = FeatureRegister()
    /// Every so many events, by time and unit; empty unless they are wanted.
    var samples: [(time: Int64, unit: UInt32)] = []
    /// The states of later parts of the log.
    var later: [State] = []
  }

  /// Codes of the data points by kind; the maximum value if the log has none.
  struct Codes: Sendable {
    var taken = UInt32.max
    var encountered = UInt32.max
    /// The key without a name.
    var emptyKey = UInt32.max
    /// The kind, and the key if one is given, of the data points of the dimension.
    var dimension: (kind: UInt32, key: UInt32?)?
    /// The studies to include, by their codes among the keys; nil for all.
    var studies: Set<UInt32>?
  }

  let source: PredictionRules.Source
  let selection: UnitSelection
  let standard: StandardNames
  let codes: Codes
  let configurations: StudyConfigurations
  /// The names that features are derived from; nil if no predictor needs features.
  let naming: FeatureNaming?
  /// Whether events are sampled, for steps that are sorted by time.
  let takesSamples: Bool
  var bucketCount: Int
  /// The memory limit for the events of a part, in bytes.
  let memoryLimit: Int
  /// The folder for temporary files.
  let folder: String

  private var takesData: Bool { source == .studies || codes.dimension != nil }

  /// Whether decisions are read: as takes, or because they carry the dimension.
  private var takesDecisions: Bool {
    switch selection.dimension {
    case _ where source == .decisions: true
    case .context, .policy, .reason: true
    default: false
    }
  }

  var columns: EventColumns {
    var columns: EventColumns = [.time, .unit]
    if takesData { columns.formUnion([.dataKind, .key]) }
    if takesDecisions {
      columns.formUnion([.experiment, .point, .slot, .variant, .status])
      if source == .decisions { columns.insert(.choices) }
      if !selection.leftOutReasons.isEmpty || selection.dimension == .reason {
        columns.insert(.reason)
      }
      if selection.dimension == .policy { columns.insert(.policy) }
    }
    return columns
  }

  var attributes: [AttributeSelection] {
    var attributes: [AttributeSelection] = []
    if case .context(let name) = selection.dimension { attributes.append(.context(name)) }
    if takesData { attributes.append(.data) }
    return attributes + (naming?.attributes ?? []).map { .context($0) }
  }

  /// The index of the values of data points among the attributes.
  private var dataColumn: Int {
    if case .context = selection.dimension { return 1 }
    return 0
  }

  var filter: FrameFilter {
    var kinds: Set<EventKind> = []
    if takesData { kinds.insert(.dataPoint) }
    if takesDecisions { kinds.formUnion([.decision, .decisionConfirmed]) }
    if configurations.hasOwn { kinds.insert(.configurationApplied) }
    return FrameFilter(
      kinds: kinds, until: selection.until.map { Timestamp(microseconds: $0) },
      experiments: takesData || configurations.hasOwn ? nil : selection.experiments,
      from: selection.from)
  }

  func makeState() -> State { State(events: UnitBuckets(count: bucketCount)) }

  func apply(_ batch: EventBatch, to state: inout State) throws {
    state.register.beginBatch()
    state.values.beginBatch()
    state.features.beginBatch()
    let (takesData, takesDecisions) = (takesData, takesDecisions)
    let first = state.events.arrived.count
    for row in 0..<batch.count where isSelected(batch, row) {
      switch EventKind(rawValue: batch.kinds[row]) {
      case .dataPoint: if takesData { addData(batch, row, &state) }
      case .decision: if takesDecisions { addDecision(batch, row, &state) }
      case .decisionConfirmed:
        if source == .decisions { addConfirmation(batch, row, &state) }
      case .configurationApplied: addConfiguration(batch, row, &state)
      default: continue
      }
    }
    if takesSamples { addSamples(from: first, &state) }
    state.events.settle()
    if state.events.byteCount > memoryLimit { try state.events.spill(to: folder) }
  }

  @inline(__always)
  private func isSelected(_ batch: EventBatch, _ row: Int) -> Bool {
    if let until = selection.until, batch.times[row] >= until { return false }
    return batch.basePosition + UInt64(row) >= selection.from
  }

  private func addSamples(from first: Int, _ state: inout State) {
    let arrived = state.events.arrived
    for place in stride(from: first, to: arrived.count, by: StepSlices.sampleStride) {
      state.samples.append((arrived[place].time, arrived[place].unit))
    }
  }

  // MARK: Data points

  @inline(__always)
  private func addData(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    let kind = batch.dataKinds[row]
    if let wanted = codes.dimension, kind == wanted.kind,
      wanted.key == nil || wanted.key == batch.keys[row]
    {
      let value = state.values.index(of: batch, row, attribute: dataColumn)
      add(.dataDimension, value, batch, row, &state)
    }
    guard source == .studies else { return }
    if kind == codes.taken || kind == codes.encountered {
      addTake(batch, row, isTaken: kind == codes.taken, &state)
    } else if naming != nil {
      addFeature(batch, row, &state)
    }
  }

  @inline(__always)
  private func addTake(_ batch: EventBatch, _ row: Int, isTaken: Bool, _ state: inout State) {
    let study = batch.keys[row]
    guard study != 0, study != codes.emptyKey else {
      state.ledger.withoutStudy += 1
      return
    }
    if let studies = codes.studies, !studies.contains(study) { return }
    if selection.dimension == .day {
      add(.dataDimension, state.values.index(ofDay: selection.calendar.day(of: batch.times[row])), batch, row, &state)
    }
    guard isTaken else {
      state.register.encounter(study)
      add(.optionEncountered, 0, study: study, batch, row, &state)
      return
    }
    guard
      let option = state.register.option(
        study, batch.attributes, dataColumn, batch.attributes[dataColumn].codes[row])
    else {
      state.ledger.withoutOption += 1
      return
    }
    add(.optionTaken, option, study: study, batch, row, &state)
  }

  private func addFeature(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    guard let naming else { return }
    let (index, value) = state.features.feature(
      of: batch.attributes[dataColumn], row, kind: batch.dataKinds[row], key: batch.keys[row],
      naming)
    state.events.arrived.append(
      UnitEvent(
        time: batch.times[row], number: value, unit: batch.units[row], experiment: 0,
        subject: index, kind: .feature))
  }

  // MARK: Decisions

  private func addDecision(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    if let dimension = selection.dimension,
      let value = state.values.index(
        ofDecision: dimension, batch, row, in: selection.calendar)
    {
      add(.dimension, value, batch, row, &state)
    }
    guard source == .decisions, selection.experiments?.contains(batch.experiments[row]) ?? true
    else { return }
    if let naming {
      let first = attributes.count - naming.attributes.count
      let columns = batch.attributes[first..<first + naming.attributes.count]
      if let context = state.features.context(of: columns, row, naming) {
        add(.context, context, batch, row, &state)
      }
    }
    let arm = state.register.arms.index(of: standard.arm(batch, row))
    add(
      selection.decisionKind(batch, row), arm, study: state.register.offer(batch, row, arm), batch,
      row, &state)
  }

  private func addConfirmation(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    guard selection.experiments?.contains(batch.experiments[row]) ?? true else { return }
    add(
      .confirmation, state.register.arms.index(of: standard.confirmedArm(batch, row)), batch, row,
      &state)
  }

  // MARK: Configurations

  private func addConfiguration(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    guard let index = configurations.index(at: batch.basePosition + UInt64(row)) else { return }
    add(.studyConfigured, index, batch, row, &state)
  }

  @inline(__always)
  private func add(
    _ kind: UnitEvent.Kind, _ subject: UInt32, study: UInt32 = 0, _ batch: EventBatch, _ row: Int,
    _ state: inout State
  ) {
    let position = batch.basePosition + UInt64(row)
    state.events.arrived.append(
      UnitEvent(
        time: batch.times[row], number: Double(bitPattern: position), unit: batch.units[row],
        experiment: study, subject: subject, kind: kind))
  }

  /// Keeps the parts separate, because each has indices of its own.
  func merge(_ later: State, into state: inout State) { state.later.append(later) }
}
