internal import DecidingCore
internal import Events

/// The parts of a configuration other than experiments, parsed once when it is applied: segments, flags,
/// consent mode.
///
/// They are derived from the configuration, so the state neither stores nor compares them. A class, so that
/// passing it on copies nothing.
final class ConfigurationParts: Sendable {
  /// The behavior for users who have not given consent.
  enum Consent: String, Sendable, CaseIterable {
    /// Consent is not required.
    case none
    /// The user gets the default.
    case partial
    /// The call throws.
    case complete
  }

  /// Whether the site is enabled.
  let isEnabled: Bool
  /// The targeting of experiments; those not listed are for all users.
  private let targeting: [ExperimentID: VisitorSegment]
  /// The flags in order of id.
  let flags: [FlagPlan]
  private let places: [ExperimentID: Int]
  /// The holdout from all flags.
  let holdout: FlagHoldout?
  /// The behavior for users who have not given consent.
  let consent: Consent
  /// Warnings for the author of the configuration, one sentence each, with the path.
  let warnings: [String]

  /// Parses the parts.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)``, which rejects the whole configuration.
  init(_ configuration: ExperimentConfiguration) throws(ExperimentError) {
    isEnabled = configuration.enabled
    let root = ConfigurationReader(.object(configuration.other))
    var segments = try SegmentReader(root.objects("segments"))
    var warnings: [String] = []
    var targeting: [ExperimentID: VisitorSegment] = [:]
    for (index, experiment) in configuration.experiments.enumerated() {
      guard let value = experiment.targeting, value != .null else { continue }
      let path = "experiments[\(index)].targeting"
      let segment = try segments.targeting(ConfigurationReader(value, at: path))
      targeting[experiment.id] = segment
      warnings += segment.warnings.map { "\(path): \($0)" }
    }
    self.targeting = targeting
    consent = try root.optional("consent")?.word(Consent.self) ?? .none
    holdout = try root.optional("holdout").map { member throws(ExperimentError) in
      try FlagHoldout(member.object())
    }
    let readers = try Self.ordered(root.objects("flags"), Set(configuration.experiments.map(\.id)))
    let places = Dictionary(
      readers.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    let groups = try Self.groups(root.objects("groups"), places)
    var flags: [FlagPlan] = []
    for (place, (_, reader)) in readers.enumerated() {
      let flag = try FlagPlan(reader, groups: groups[place] ?? [], segments: &segments)
      for (index, rule) in flag.rules.enumerated() {
        let path = "\(reader.path).rules[\(index)].targeting"
        warnings += rule.segment?.warnings.map { "\(path): \($0)" } ?? []
      }
      flags.append(flag)
    }
    (self.flags, self.places, self.warnings) = (flags, places, warnings)
  }

  /// Returns the flags in order of id; ids and keys must be unique.
  private static func ordered(
    _ readers: [ConfigurationReader], _ experiments: Set<ExperimentID>
  ) throws(ExperimentError) -> [(key: ExperimentID, reader: ConfigurationReader)] {
    var flags: [(id: String, key: ExperimentID, reader: ConfigurationReader)] = []
    var (ids, keys): (Set<TextKey>, Set<ExperimentID>) = ([], [])
    for reader in readers {
      let key = ExperimentID(try reader.required("key").id())
      let id = try reader.optional("id")?.id() ?? key.rawValue
      guard ids.insert(TextKey(id)).inserted, keys.insert(key).inserted else {
        throw .invalidConfiguration(
          path: reader.path, reason: "has the id or the key of an earlier flag; both are unique")
      }
      guard !experiments.contains(key) else {
        throw .invalidConfiguration(
          path: reader.path + ".key",
          reason: "is \"\(key)\", the id of an experiment; give the flag another key")
      }
      flags.append((id, key, reader))
    }
    return flags.sorted { IDOrder.precedes($0.id, $1.id) }.map { ($0.key, $0.reader) }
  }

  /// Returns the exclusion groups of each flag; the members of a group are in order of the flags' ids.
  private static func groups(
    _ readers: [ConfigurationReader], _ places: [ExperimentID: Int]
  ) throws(ExperimentError) -> [Int: [FlagPlan.Membership]] {
    var groups: [Int: [FlagPlan.Membership]] = [:]
    for reader in readers {
      let name = try reader.required("name").id()
      var members: Set<Int> = []
      for member in try reader.required("flags").elements() {
        guard let place = places[ExperimentID(try member.id())] else {
          throw member.problem("is no flag of this configuration; add the flag, or remove it here")
        }
        members.insert(place)
      }
      for (index, place) in members.sorted().enumerated() {
        groups[place, default: []].append(
          FlagPlan.Membership(group: name, index: index, count: members.count))
      }
    }
    return groups
  }

  /// Returns the flag with the key; nil when there is none.
  func flag(_ key: ExperimentID) -> FlagPlan? { places[key].map { flags[$0] } }

  /// Returns whether the visitor matches the targeting of an experiment; one without targeting is for all
  /// users.
  func isTargeted(_ experiment: Experiment, _ facts: VisitorFacts) -> Bool {
    targeting[experiment.id]?.isMet(by: facts, asking: experiment.id) ?? true
  }

  /// Returns whether required consent is missing.
  func lacksConsent(_ knowledge: VisitorKnowledge) -> Bool {
    consent != .none && knowledge.consent != true
  }
}
