import EventLog
import Events
import TestSupport

@testable import Interchange

/// A log in a temporary folder, and its exports as Arrow streams.
struct ArrowLog {
  private let folder: TemporaryFolder
  let reader: LogReader

  /// Writes a log of events, with so many in each frame.
  init(_ events: [Event], frameRowCount: Int = 1 << 16) throws {
    folder = try TemporaryFolder()
    var options = LogOptions(seed: 1)
    options.frameRowCount = frameRowCount
    let writer = try LogWriter(folder.path("log"), options: options)
    try writer.append(events)
    try writer.commit()
    reader = try LogReader(folder.path("log"))
  }

  /// The events as JSON Lines.
  var lines: [String] {
    get throws {
      var lines: [String] = []
      try reader.forEachEvent { event, _ in
        var line: [UInt8] = []
        JSONLines.append(event, to: &line)
        lines.append(String(decoding: line.dropLast(), as: UTF8.self))
      }
      return lines
    }
  }

  /// Exports the events of some kinds, by columns where that is possible, or row by row.
  func exported(_ kinds: Set<EventKind>? = nil, rowByRow: Bool = false) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try ArrowExport(reader, kinds: kinds, rowByRow: rowByRow).write { bytes += $0 }
    return bytes
  }
}

extension EventGenerator {
  /// Returns events whose attributes have one type and order each, and that have no other fields, as most logs do.
  mutating func regularEvents(_ count: Int) -> [Event] {
    events(count).map { event in
      var event = event
      event.unknownFields = JSONMembers()
      switch event.payload {
      case .decision(var decision):
        decision.context = decision.context.map { _ in regularAttributes() }
        decision.features = decision.features.map { features in
          var regular = Features()
          for entry in features.entries { regular[entry.variant] = regularAttributes() }
          return regular
        }
        event.payload = .decision(decision)
      case .goal(var goal):
        goal.metadata = goal.metadata.map { _ in regularAttributes() }
        event.payload = .goal(goal)
      case .conversion(var conversion):
        conversion.metadata = conversion.metadata.map { _ in regularAttributes() }
        event.payload = .conversion(conversion)
      case .dataPoint(var point):
        if case .integer = point.value { point.value = 1 }
        event.payload = .dataPoint(point)
      default: break
      }
      return event
    }
  }

  /// Returns at least one attribute, in one order.
  private mutating func regularAttributes() -> Attributes {
    var attributes = Attributes()
    if random.chance(0.7) { attributes["age"] = .number(Double(random.index(90))) }
    if random.chance(0.7) { attributes["é"] = .text(random.pick(["a", "", "ü"], or: "a")) }
    attributes["is new"] = .flag(random.chance(0.5))
    return attributes
  }
}
