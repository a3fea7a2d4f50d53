internal import EventLog
internal import Events
internal import Specifications
internal import Statistics

/// The options that a configuration event gives a study.
struct StudyConfiguration: Sendable {
  /// The effect of a configuration on the previous options.
  enum Action: Sendable {
    /// The options and their history are discarded.
    case define
    /// Only single options change: what was learned of the others is kept.
    case change
    /// The study is removed.
    case remove
  }

  var study: ExperimentID
  var action: Action
  /// The distinct options in declared order, with the number of times each was taken.
  var options: [(name: VariantID, taken: Int)] = []
  /// The number of times the options were encountered together.
  var encountered = 0
}

extension StudyConfiguration {
  private struct Options: Decodable {
    struct Option: Decodable {
      var description: String
      var timesTaken: Int
      var timesEncountered: Int
    }
    var options: [Option]
  }

  /// Parses a configuration event; nil if it has no valid options.
  init?(_ applied: ConfigurationApplied) {
    guard let study = applied.experiment, !study.rawValue.isEmpty,
      let text = applied.configuration
    else { return nil }
    self.study = study
    guard text != .null else {
      action = .remove
      return
    }
    switch applied.reason {
    case "option-added", "option-updated", "option-removed": action = .change
    default: action = .define
    }
    guard let json = try? JSONValue(parsing: text.text),
      let list = try? json.decoded(as: Options.self).options
    else { return nil }
    var names: Set<VariantID> = []
    for option in list {
      let name = VariantID(option.description)
      guard !option.description.isEmpty, names.insert(name).inserted, option.timesTaken >= 0,
        option.timesEncountered >= 0
      else { return nil }
      options.append((name, option.timesTaken))
      encountered = max(encountered, option.timesEncountered)
    }
    for option in options where option.taken > encountered { return nil }
  }
}

/// The events of a log that configure studies. They are few, and read one by one.
struct StudyConfigurations: Sendable {
  /// A global configuration, which applies to every unit.
  struct GlobalConfiguration: Sendable {
    var time: Int64
    var position: UInt64
    /// The index in ``all``.
    var index: UInt32
  }

  /// The contents by which identical events are deduplicated.
  private struct Key: Hashable {
    var study: ExperimentID?
    var reason: NameKey?
    var text: NameKey?
  }

  /// The distinct configurations, in log order.
  private(set) var all: [StudyConfiguration] = []
  /// The global configurations in order of time, and at equal times of the log.
  private(set) var ofEveryone: [GlobalConfiguration] = []
  /// The ascending log positions of the configurations of single units, and the index of each in ``all``.
  private var positions: [UInt64] = []
  private var indices: [UInt32] = []
  /// The numbers of readable and unreadable configurations.
  private(set) var counts = (read: 0, unreadable: 0)
  /// The numbers of those of everyone among them. Every part of a log that is split by unit has them.
  private(set) var countsOfEveryone = (read: 0, unreadable: 0)

  /// Creates an empty collection.
  init() {}

  /// Reads the configurations of a log.
  ///
  /// - Throws: `LogError` if a frame cannot be read.
  /// - Complexity: O(frames) for a log without any; else O(events of their frames), and memory for the names of the
  ///   log.
  init(_ log: LogReader, _ selection: UnitSelection, of studies: Set<ExperimentID>?) throws {
    let kinds: Set<EventKind> = [.configurationApplied]
    guard !log.admittedFrames(where: FrameFilter(kinds: kinds)).isEmpty else { return }
    let filter = EventFilter(
      positions: selection.from..<UInt64.max,
      until: selection.until.map { Timestamp(microseconds: $0) }, kinds: kinds)
    var known: [Key: UInt32?] = [:]
    try log.forEachEvent(matching: filter) { record, position in
      guard let event = try? Event(record),
        case .configurationApplied(let applied) = event.payload, Self.isMeant(applied, studies)
      else { return }
      let key = Key(
        study: applied.experiment, reason: applied.reason.map(NameKey.init),
        text: applied.configuration.map { NameKey($0.text) })
      let index = known[key] ?? add(applied)
      known[key] = index
      take(index, event, position)
    }
    ofEveryone.sort { ($0.time, $0.position) < ($1.time, $1.position) }
  }

  /// Returns whether an event configures one of the studies; events that force an option do not.
  private static func isMeant(_ applied: ConfigurationApplied, _ studies: Set<ExperimentID>?)
    -> Bool
  {
    guard applied.system == .studies else { return false }
    guard let study = applied.experiment else { return true }
    return studies?.contains(study) ?? true && applied.reason != "forced"
      && applied.reason != "unforced"
  }

  private mutating func add(_ applied: ConfigurationApplied) -> UInt32? {
    guard let configuration = StudyConfiguration(applied) else { return nil }
    all.append(configuration)
    return UInt32(truncatingIfNeeded: all.count - 1)
  }

  private mutating func take(_ index: UInt32?, _ event: Event, _ position: UInt64) {
    let isOfEveryone = event.unit.rawValue.isEmpty
    guard let index else {
      counts.unreadable += 1
      if isOfEveryone { countsOfEveryone.unreadable += 1 }
      return
    }
    counts.read += 1
    if isOfEveryone {
      countsOfEveryone.read += 1
      ofEveryone.append(
        GlobalConfiguration(time: event.time.microseconds, position: position, index: index))
    } else {
      positions.append(position)
      indices.append(index)
    }
  }

  /// Whether any single unit has a configuration of its own.
  var hasOwn: Bool { !positions.isEmpty }

  /// Returns the index in ``all`` of the event at a position, if it configures a single unit.
  ///
  /// - Complexity: O(log n).
  func index(at position: UInt64) -> UInt32? {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low < positions.count && positions[low] == position ? indices[low] : nil
  }
}
