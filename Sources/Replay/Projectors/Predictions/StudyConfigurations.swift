internal import EventLog
internal import Events

/// The options that an event gives a study.
struct StudyConfiguration: Sendable {
  /// What becomes of the options before.
  enum Action: Sendable {
    /// They are forgotten, and their history.
    case define
    /// They differ from the new ones by a change of single options: what was learned of the others is kept.
    case change
    /// The study is no more.
    case remove
  }

  var study: ExperimentID
  var action: Action
  /// In declared order, each once.
  var options: [(name: VariantID, taken: Int)] = []
  /// How often all of them were encountered.
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

  /// What an event of the system says; nil when it says nothing that can be.
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

/// The events of a log that give studies their options. They are few, and read one by one.
struct StudyConfigurations: Sendable {
  /// An event of everyone: it holds for every unit.
  struct OfEveryone: Sendable {
    var time: Int64
    var position: UInt64
    /// Which of ``all``.
    var index: UInt32
  }

  /// What two events that say the same have in common.
  private struct Key: Hashable {
    var study: ExperimentID?
    var reason: String?
    var text: String?
  }

  /// Each once, in the order of the log.
  private(set) var all: [StudyConfiguration] = []
  /// In the order of time, and at equal times of the log.
  private(set) var ofEveryone: [OfEveryone] = []
  /// Where in the log those of units stand, ascending, and which of ``all`` each is.
  private var positions: [UInt64] = []
  private var indices: [UInt32] = []
  /// How many could be read, and how many could not.
  private(set) var counts = (read: 0, unreadable: 0)

  /// None.
  init() {}

  /// Those of a log.
  ///
  /// - Throws: `LogError` when a frame cannot be read.
  /// - Complexity: O(frames) for a log without any; else O(events of their frames), and memory for the names of the log.
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
        study: applied.experiment, reason: applied.reason, text: applied.configuration?.text)
      let index = known[key] ?? add(applied)
      known[key] = index
      take(index, event, position)
    }
    ofEveryone.sort { ($0.time, $0.position) < ($1.time, $1.position) }
  }

  /// Whether an event gives one of the studies its options; those that force an option do not.
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
    guard let index else {
      counts.unreadable += 1
      return
    }
    counts.read += 1
    if event.unit.rawValue.isEmpty {
      ofEveryone.append(
        OfEveryone(time: event.time.microseconds, position: position, index: index))
    } else {
      positions.append(position)
      indices.append(index)
    }
  }

  /// Whether units have any of their own.
  var hasOwn: Bool { !positions.isEmpty }

  /// Which of ``all`` the event at a position is, if it is one of a unit.
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
