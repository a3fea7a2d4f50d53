internal import DecidingCore
internal import Events

/// A parsed rule of a flag. A class, so that passing it on copies nothing.
final class FlagRule: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    /// Assigns the first variation to every exposed user.
    case delivery
    /// Assigns one of its variations by hash.
    case experiment
  }

  let id: String
  let experiment: ExperimentID
  let kind: Kind
  /// The exposition: the share of targeted users to whom the rule applies.
  let exposition: Double
  let segment: VisitorSegment?
  /// The variations in the order of the configuration.
  let choices: [VariationID]
  let deviations: [Double]
  /// The probability that the rule assigns nothing to a targeted user.
  let rest: Double
  /// The text hashed after the hashing code, for the exposition and for the variation.
  let expositionSalt: String
  let variationSalt: String
  /// The context recorded with decisions.
  let context: Attributes

  /// The policy name recorded for targeted deliveries.
  static let deliveryPolicy: PolicyID = "delivery"
  /// The policy name recorded for decisions by a user's scores.
  static let scoresPolicy: PolicyID = "scores"
  /// The policy name recorded for decisions by the deviations.
  static let weightsPolicy: PolicyID = "weights"

  /// Reads a rule.
  init(
    _ reader: ConfigurationReader, variables: [VariationID: [TextKey: FlagVariable]],
    segments: inout SegmentReader
  ) throws(ExperimentError) {
    let id = try reader.required("id").id()
    self.id = id
    let experiment = ExperimentID(try reader.optional("experiment")?.id() ?? id)
    self.experiment = experiment
    kind = try reader.optional("type")?.word(Kind.self) ?? .experiment
    exposition = try reader.share("exposition") ?? 1
    var segment: VisitorSegment?
    if let member = reader.optional("targeting") { segment = try segments.targeting(member) }
    self.segment = segment
    (choices, deviations) = try reader.shares { member throws(ExperimentError) in
      try member.variation(of: variables)
    }
    guard kind == .experiment || !choices.isEmpty else {
      throw .invalidConfiguration(
        path: reader.path + ".variations",
        reason: "is empty; a delivery rule gives its first variation")
    }
    rest = max(0, 1 - (kind == .delivery ? exposition : exposition * deviations.reduce(0, +)))
    let respool = try reader.optional("respool")?.whole() ?? 0
    let suffix = respool == 0 ? "" : String(respool)
    expositionSalt = id + suffix
    variationSalt = experiment.rawValue + suffix
    context = ["rule": .text(id), "experiment": .text(experiment.rawValue)]
  }

  /// Returns whether the rule applies to the hashing code.
  func isExposed(_ code: String) -> Bool {
    exposition >= 1 || UnitHash(code, expositionSalt).fraction < exposition
  }

  /// Returns the hash position of the code for the variations, in [0, 1).
  func place(of code: String) -> Double { UnitHash(code, variationSalt).fraction }
}

/// A parsed flag. A class, so that passing it on copies nothing.
final class FlagPlan: Sendable {
  /// The membership of a flag in an exclusion group, of which each user gets only one flag: the group's name,
  /// this flag's position, and the number of flags.
  struct Membership: Sendable {
    let group: String
    let index: Int
    let count: Int

    /// Returns whether the hashing code belongs to another flag of the group.
    func excludes(_ code: String) -> Bool {
      Shares.index(of: UnitHash(code, group).fraction, below: count) != index
    }
  }

  let id: String
  let key: ExperimentID
  let isEnabled: Bool
  /// The schedules: the flag is enabled during any of them, and always when there is none.
  let schedules: [Schedule]
  let defaultVariation: VariationID
  /// The variables of each variation, by name.
  let variables: [VariationID: [TextKey: FlagVariable]]
  /// The custom datum whose value is hashed.
  let bucketing: String?
  let rules: [FlagRule]
  /// The ids that overrides can name: the flag itself and the experiments of its rules.
  let forcible: [ExperimentID]
  let groups: [Membership]
  /// Whether a rule has a targeting, which can read any facts.
  let isTargeted: Bool

  /// Reads a flag.
  init(
    _ reader: ConfigurationReader, groups: [Membership], segments: inout SegmentReader
  ) throws(ExperimentError) {
    let key = ExperimentID(try reader.required("key").id())
    self.key = key
    self.groups = groups
    id = try reader.optional("id")?.id() ?? key.rawValue
    isEnabled = try reader.optional("enabled")?.flag() ?? true
    bucketing = try reader.optional("bucketing")?.id()
    schedules = try reader.objects("schedules").map { schedule throws(ExperimentError) in
      Schedule(from: try schedule.time("from"), to: try schedule.time("to"))
    }
    let variables = try Self.variables(reader)
    self.variables = variables
    let first = reader.optional("default")
    defaultVariation = try first?.variation(of: variables) ?? VariationID(FlagVariation.off)
    var rules: [FlagRule] = []
    for rule in try reader.objects("rules") {
      let read = try FlagRule(rule, variables: variables, segments: &segments)
      guard !rules.contains(where: { $0.id == read.id }) else {
        throw .invalidConfiguration(
          path: rule.path + ".id", reason: "is \"\(read.id)\" for the second time; ids are unique")
      }
      rules.append(read)
    }
    self.rules = rules
    isTargeted = rules.contains { $0.segment != nil }
    forcible = rules.reduce(into: [key]) { forcible, rule in
      if !forcible.contains(rule.experiment) { forcible.append(rule.experiment) }
    }
  }

  /// Whether the flag is enabled at the time.
  func isEnabled(at time: Timestamp) -> Bool {
    isEnabled && (schedules.isEmpty || schedules.contains { $0.contains(time) })
  }

  /// Returns the code to hash for a user: the bucketing datum, the cross-device identifier, or the user id.
  func code(of userID: String, _ knowledge: VisitorKnowledge) -> String {
    if let bucketing, let value = knowledge.custom[TextKey(bucketing)]?.first { return value }
    return knowledge.uniqueIdentifier ?? userID
  }
}

/// The holdout: an experiment that excludes users from all flags.
struct FlagHoldout: Sendable {
  let id: String
  let choices: [VariationID]
  let deviations: [Double]

  /// The variation of users in the holdout.
  static let heldOut: VariationID = "in-holdout"

  /// Returns whether the hashing code is in the holdout.
  func holds(_ code: String) -> Bool {
    Shares.pick(UnitHash(code, id).fraction, from: deviations).map { choices[$0] } == Self.heldOut
  }
}
