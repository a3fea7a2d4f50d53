public import DecidingCore
public import Events

/// The state of the active configuration: the configurations of each user in order, and the last known group
/// of each user.
public struct ActiveConfigState: DecidingState {
  /// The name of the system in the log.
  public static let system = SystemID.activeConfig
  /// The policy of decisions made by the server.
  static let policy: PolicyID = "server"

  /// A configuration that was added or removed.
  struct Entry: Equatable, Codable {
    /// The number of earlier entries, of all users.
    let position: Int
    let time: Timestamp
    let reason: String?
    let changed: [String]
    /// Nil when the configuration was removed.
    let document: JSONValue?
  }

  /// The entries of each user, in order; the unit with the empty name is no user.
  private var entries: [UnitID: [Entry]] = [:]
  private var entryCount = 0
  /// Whether a download was ever applied.
  private(set) var hasDownloaded = false
  private var groups: [ExperimentID: [UnitID: VariantID]] = [:]

  /// Creates an empty state.
  public init() {}

  /// Applies an event: a configuration of this system, or the group of a user.
  public mutating func take(_ event: Event) {
    switch event.payload {
    case .configurationApplied(let applied) where applied.system == Self.system:
      apply(applied, of: event.unit, at: event.time)
    case .decision(let decision) where decision.policy == Self.policy:
      groups[decision.experiment, default: [:]][event.unit] = decision.variant
    default: break
    }
  }

  private mutating func apply(
    _ applied: ConfigurationApplied, of unit: UnitID, at time: Timestamp
  ) {
    guard applied.experiment == nil, let text = applied.configuration?.text,
      let json = try? JSONValue(parsing: text)
    else { return }
    let isRemoved = json == .null
    if isRemoved {
      guard stored(unit) != nil else { return }
    } else {
      guard (try? ConfigurationState(json: json, at: time)) != nil else { return }
    }
    let entry = Entry(
      position: entryCount, time: time, reason: applied.reason, changed: applied.changed ?? [],
      // A plain `nil` would be the JSON value here.
      document: isRemoved ? .none : .some(json))
    entries[unit, default: []].append(entry)
    // A snapshot can contain any number, which must not cause an overflow trap.
    entryCount &+= 1
    if applied.reason == ConfigReason.downloaded.rawValue { hasDownloaded = true }
  }

  /// Returns the user's own configuration; nil when there is none.
  func stored(_ unit: UnitID) -> StoredConfiguration? {
    guard let last = entries[unit]?.last else { return nil }
    return StoredConfiguration(last)
  }

  /// Returns the last known group of the user.
  func group(of unit: UnitID, in experiment: ExperimentID) -> VariantID? {
    groups[experiment]?[unit]
  }

  /// Returns the configurations of the user and their removals, in order.
  func history(_ unit: UnitID) -> [ConfigHistoryEntry] {
    (entries[unit] ?? []).map { entry in
      ConfigHistoryEntry(
        position: entry.position, time: entry.time, reason: entry.reason, changed: entry.changed,
        configuration: StoredConfiguration(entry)?.configuration)
    }
  }

  /// Returns the entry at the position, and its user.
  ///
  /// - Complexity: O(n) in the number of users, and O(log n) in the number of entries of each.
  func entry(at position: Int) -> (unit: UnitID, configuration: ConfigurationState?)? {
    for (unit, entries) in entries {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].position < position { low = middle + 1 } else { high = middle }
      }
      if low < entries.count, entries[low].position == position {
        return (unit, StoredConfiguration(entries[low])?.configuration)
      }
    }
    return nil
  }
}

/// A configuration in the log, and the time since when.
struct StoredConfiguration {
  let configuration: ConfigurationState
  let time: Timestamp

  /// Creates it from an entry; nil for an entry that removed the configuration.
  init?(_ entry: ActiveConfigState.Entry) {
    guard let document = entry.document,
      let configuration = try? ConfigurationState(json: document, at: entry.time)
    else { return nil }
    self.configuration = configuration
    time = entry.time
  }
}

/// The reason for which a configuration was added or removed. The raw values are stored in the log and never
/// change.
enum ConfigReason: String {
  case downloaded
  case stored
  case set
  case removed
  case restored
}

/// A configuration of a user in the history, or a removal.
public struct ConfigHistoryEntry: Hashable, Sendable {
  /// The position among all configurations of the log, of all users, from 0.
  public let position: Int
  /// The time of the event.
  public let time: Timestamp
  /// `downloaded`, `stored`, `set`, `restored` or `removed`.
  public let reason: String?
  /// The sections that differ from the previous configuration, and `meta`.
  public let changed: [String]
  /// The configuration; nil when it was removed.
  public let configuration: ConfigurationState?
}
