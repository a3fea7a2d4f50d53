internal import EventLog
internal import Events

/// The events of units of a log, in buckets: what projectors of units are shown, one bucket after the other.
struct CollectedUnits: Sendable {
  /// What is known before the first unit.
  let context: UnitContext
  let bucketCount: Int
  private let parts: [UnitCollector.State]
  /// For each part, the indices that its arms, values and probabilities have in the context.
  private let armIndices: [[UInt32]]
  private let valueIndices: [[UInt32]]
  private let probabilityIndices: [[UInt32]]

  /// Puts the parts of a log together, in its order.
  /// Names are those of policies or reasons where they are the dimension.
  init(_ state: UnitCollector.State, bucketCount: Int, names: (UInt32) -> String?) {
    var parts = [state] + state.later
    for index in parts.indices { parts[index].events.settle(atOnce: true) }
    // Where every decision has its own they are many, so none is kept twice.
    var probabilities = parts[0].probabilities
    parts[0].probabilities = ProbabilityRegister()
    var indices = [Array(0..<UInt32(clamping: probabilities.count))]
    for part in parts.indices.dropFirst() {
      indices.append(probabilities.add(parts[part].probabilities))
      parts[part].probabilities = ProbabilityRegister()
    }
    probabilityIndices = indices
    self.parts = parts
    var arms = ArmRegister()
    armIndices = parts.map { part in part.arms.arms.map { arms.index(of: $0) } }
    var values = DimensionRegister()
    valueIndices = parts.map { part in part.values.values.map { values.index(of: $0) } }
    var context = UnitContext(
      arms: arms.arms, values: values.values.map { Self.value($0, names) },
      latest: parts.map(\.latest).max() ?? .min)
    context.probabilities = probabilities
    self.context = context
    self.bucketCount = bucketCount
  }

  private static func value(
    _ raw: DimensionRegister.Raw, _ names: (UInt32) -> String?
  ) -> DimensionValue {
    switch raw {
    case .unknown: .unknown
    case .name(let code): names(code).map(DimensionValue.text) ?? .unknown
    case .day(let day):
      .text(String(Timestamp(microseconds: day &* 86_400_000_000).description.prefix(10)))
    case .text(let text): .text(text)
    }
  }

  /// Reads a bucket: its events in the order of the log, with the context's indices.
  func read(_ bucket: Int, into events: inout [UnitEvent], _ bytes: inout [UInt8]) throws {
    events.removeAll(keepingCapacity: true)
    for (number, part) in parts.enumerated() {
      let start = events.count
      try part.events.read(bucket, into: &events, &bytes)
      guard parts.count > 1 else { continue }
      for index in start..<events.count {
        let event = events[index]
        if event.kind.isDecision || event.kind == .confirmation {
          events[index].subject = armIndices[number][Int(event.subject)]
        } else if event.kind == .dimension {
          events[index].subject = valueIndices[number][Int(event.subject)]
        } else if event.kind == .probabilities {
          events[index].subject = probabilityIndices[number][Int(event.subject)]
        }
      }
    }
  }
}
