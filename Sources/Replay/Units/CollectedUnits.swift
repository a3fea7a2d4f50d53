internal import EventLog

/// The events of the units of a log, partitioned into buckets that are passed to unit projectors one at a time.
package struct CollectedUnits: Sendable {
  /// The context of the units.
  package var context: UnitContext
  /// The units with a single decision, which are in no bucket; nil if all units are in buckets.
  private(set) var singleUnits: SingleUnits?
  /// The number of buckets, a power of two.
  package let bucketCount: Int
  /// An upper bound, exclusive, of the codes of units.
  let unitLimit: UInt32
  private let parts: [UnitCollector.State]
  /// For each part, the indices of its arms, values, probabilities and situations in the context.
  private let armIndices: [[UInt32]]
  private let valueIndices: [[UInt32]]
  /// By dimension, the values of all decisions by their numbers, if these annotate them.
  let columns: [[UInt32]]
  private let probabilityIndices: [[UInt32]]
  private let situationIndices: [[UInt32]]
  /// The first part whose indices differ from the context's.
  private var firstRenumbered: Int

  /// Combines the states of the parts of a log, in log order.
  ///
  /// - Parameters:
  ///   - parts: The states.
  ///   - collector: What collected them.
  ///   - log: The log.
  ///   - known: The arms that keep their indices.
  ///   - knownValues: The values that keep theirs.
  ///   - names: The names of policies or reasons if they are the dimension.
  init(
    _ parts: consuming [UnitCollector.State], _ collector: UnitCollector, _ log: LogReader,
    known: ArmRegister = ArmRegister(), knownValues: [DimensionValue] = [], _ names: LogNames
  ) {
    unitLimit = log.codeLimit(.units)
    UnitCollector.State.releaseShared(&parts)
    for index in parts.indices { parts[index].events.settle(atOnce: true) }
    // If every decision has its own there are many, so none is stored twice.
    var probabilities = parts[0].probabilities
    parts[0].probabilities = ProbabilityRegister()
    var indices = [Array(0..<UInt32(clamping: probabilities.count))]
    for part in parts.indices.dropFirst() {
      indices.append(probabilities.add(parts[part].probabilities))
      parts[part].probabilities = ProbabilityRegister()
    }
    probabilityIndices = indices
    // Likewise.
    var situations = parts[0].situations
    parts[0].situations = SituationRegister()
    indices = [Array(0..<UInt32(clamping: situations.count))]
    for part in parts.indices.dropFirst() {
      indices.append(situations.add(parts[part].situations))
      parts[part].situations = SituationRegister()
    }
    situationIndices = indices
    self.parts = parts
    var arms = known
    firstRenumbered = known.arms.isEmpty ? 1 : 0
    armIndices = parts.map { part in part.arms.arms.map { arms.index(of: $0) } }
    var values = DimensionRegister()
    let own = parts.map { part in part.values.values.map { values.index(of: $0) } }
    let vocabulary: Vocabulary = collector.selection.dimension == .policy ? .policies : .reasons
    let (texts, places) = Self.values(
      values.values.map { $0.value { names.string($0, in: vocabulary) } }, after: knownValues)
    let translated = own.map { $0.map { places[Int($0)] } }
    if !collector.numbersDecisions {
      (columns, valueIndices) = ([], translated)
    } else {
      columns = collector.dimensions.indices.map { column in
        zip(parts, translated).flatMap { part, values in
          part.columns.isEmpty ? [] : part.columns[column].map { values[Int($0)] }
        }
      }
      var count: UInt32 = 0
      valueIndices = parts.map { part in
        let start = count
        count += UInt32(truncatingIfNeeded: part.columns.first?.count ?? 0)
        return Array(start..<count)
      }
    }
    if knownValues.count > 1 { firstRenumbered = 0 }
    var context = UnitContext(
      arms: arms.arms, values: texts, latest: parts.map(\.latest).max() ?? .min)
    context.probabilities = probabilities
    context.situations = situations
    self.context = context
    bucketCount = collector.bucketCount
    let singleUnits = parts.compactMap(\.singleUnits)
    guard singleUnits.count == parts.count else { return }
    self.singleUnits = SingleUnits(singleUnits, context.arms) { translate($0, ofPart: $1) }
  }

  /// Returns known values followed by further ones, and the place of each of the latter.
  private static func values(
    _ values: [DimensionValue], after known: [DimensionValue]
  ) -> (values: [DimensionValue], places: [UInt32]) {
    guard known.count > 1 else { return (values, Array(0..<UInt32(values.count))) }
    var all = known
    var places: [[UInt8]: UInt32] = [:]
    for (place, value) in known.enumerated() { places[StateContext.key(value)] = UInt32(place) }
    let found = values.map { value in
      let key = StateContext.key(value)
      if let place = places[key] { return place }
      places[key] = UInt32(all.count)
      all.append(value)
      return UInt32(all.count - 1)
    }
    return (all, found)
  }

  /// The number of events.
  package var eventCount: Int { parts.reduce(0) { $0 + $1.events.eventCount } }

  /// Returns the number of events of a bucket.
  func eventCount(ofBucket bucket: Int) -> Int {
    // By index: a part has many references, each of which is counted when it is copied.
    parts.indices.reduce(0) { $0 + parts[$1].events.eventCount(ofBucket: bucket) }
  }

  /// Whether all events are in memory, so that ``forEachRun(_:_:)`` can be used.
  var isInMemory: Bool { parts.indices.allSatisfy { parts[$0].events.spilledByteCount == 0 } }

  /// Calls the closure with the events of a bucket, run by run in log order, and with the number of their part: most
  /// parts have indices of their own, see ``translate(_:ofPart:)``.
  @inline(__always)
  func forEachRun(_ bucket: Int, _ body: (UnsafeBufferPointer<UnitEvent>, _ part: Int) -> Void) {
    for number in parts.indices {
      // Safety: the pointer is passed on and used within the call only.
      unsafe parts[number].events.forEachRun(bucket) { events in unsafe body(events, number) }
    }
  }

  /// Returns the event of a part with the context's indices.
  @inline(__always)
  func translate(_ event: UnitEvent, ofPart part: Int) -> UnitEvent {
    guard part >= firstRenumbered else { return event }
    var event = event
    switch event.kind {
    case .confirmation, .goalPlace: event.subject = armIndices[part][Int(event.subject)]
    case .dimension, .dataDimension: event.subject = valueIndices[part][Int(event.subject)]
    case .probabilities, .choices: event.subject = probabilityIndices[part][Int(event.subject)]
    case .situation: event.subject = situationIndices[part][Int(event.subject)]
    default:
      if event.kind.isDecision { event.subject = armIndices[part][Int(event.subject)] }
    }
    return event
  }

  /// Returns the kind of decisions of a part with the context's indices.
  private func translate(_ kind: SingleKind, ofPart part: Int) -> SingleKind {
    guard part >= firstRenumbered else { return kind }
    func index(_ index: UInt32, _ indices: [[UInt32]]) -> UInt32 {
      index == SingleKind.none ? index : indices[part][Int(index)]
    }
    var kind = kind
    kind.arm = index(kind.arm, armIndices)
    kind.situation = index(kind.situation, situationIndices)
    kind.probabilities = index(kind.probabilities, probabilityIndices)
    kind.dimension = index(kind.dimension, valueIndices)
    return kind
  }

  /// Reads a bucket: its events in log order, with the context's indices.
  package func read(_ bucket: Int, into events: inout [UnitEvent], _ bytes: inout [UInt8]) throws {
    events.removeAll(keepingCapacity: true)
    for (number, part) in parts.enumerated() {
      let start = events.count
      try part.events.read(bucket, into: &events, &bytes)
      guard number >= firstRenumbered else { continue }
      for index in start..<events.count {
        events[index] = translate(events[index], ofPart: number)
      }
    }
  }
}
