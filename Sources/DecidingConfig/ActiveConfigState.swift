public import DecidingCore
public import Events

/// What the active configuration knows: the configurations of each user in the order in which they came, and
/// the group that each user was last seen in.
public struct ActiveConfigState: DecidingState {
  /// The name of the system in the log.
  public static let system = SystemID.activeConfig
  /// The policy of decisions that the server took.
  static let policy: PolicyID = "server"

  /// One configuration that came or went.
  struct Entry: Equatable, Codable {
    /// How many entries, of whichever user, came before it.
    let position: Int
    let time: Timestamp
    let reason: String?
    let changed: [String]
    /// Nil when the configuration was removed.
    let document: JSONValue?
  }

  /// The entries of each user, in order; no user is the unit with the empty name.
  private var entries: [UnitID: [Entry]] = [:]
  private var entryCount = 0
  /// Whether a download was ever applied.
  private(set) var hasDownloaded = false
  private var groups: [ExperimentID: [UnitID: VariantID]] = [:]

  /// Nobody has a configuration.
  public init() {}

  /// Takes an event into account: a configuration of this system, or the group of a user.
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
    // A snapshot may hold any number, and no number may stop the program.
    entryCount &+= 1
    if applied.reason == ConfigReason.downloaded.rawValue { hasDownloaded = true }
  }

  /// The user's own configuration; nil when there is none.
  func stored(_ unit: UnitID) -> StoredConfiguration? {
    guard let last = entries[unit]?.last else { return nil }
    return StoredConfiguration(last)
  }

  /// The group that the user was last seen in.
  func group(of unit: UnitID, in experiment: ExperimentID) -> VariantID? {
    groups[experiment]?[unit]
  }

  /// What came and went for the user, in order.
  func history(_ unit: UnitID) -> [ConfigHistoryEntry] {
    (entries[unit] ?? []).map { entry in
      ConfigHistoryEntry(
        position: entry.position, time: entry.time, reason: entry.reason, changed: entry.changed,
        configuration: StoredConfiguration(entry)?.configuration)
    }
  }

  /// The entry at the position, and whose it is.
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

/// A configuration as the log has it, and since when.
struct StoredConfiguration {
  let configuration: ConfigurationState
  let time: Timestamp

  /// Nil for an entry that took the configuration away.
  init?(_ entry: ActiveConfigState.Entry) {
    guard let document = entry.document,
      let configuration = try? ConfigurationState(json: document, at: entry.time)
    else { return nil }
    self.configuration = configuration
    time = entry.time
  }
}

/// Why a configuration came or went; the raw values stand in the log and never change.
enum ConfigReason: String {
  case downloaded
  case stored
  case set
  case removed
  case restored
}

/// One configuration of a user, as it came or went.
public struct ConfigHistoryEntry: Hashable, Sendable {
  /// Its place among all configurations of the log, whichever user they are of: the log's first is 0.
  public let position: Int
  /// When it came.
  public let time: Timestamp
  /// `downloaded`, `stored`, `set`, `restored` or `removed`.
  public let reason: String?
  /// The sections that differed from before, and `meta`.
  public let changed: [String]
  /// The configuration; nil when it was removed.
  public let configuration: ConfigurationState?
}
