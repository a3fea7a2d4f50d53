internal import Events

extension FlagPlan {
  /// Reads a flag.
  init(
    _ reader: ConfigurationReader, segments: inout SegmentReader
  ) throws(ExperimentError) {
    key = ExperimentID(try reader.required("key").id())
    id = try reader.optional("id")?.id() ?? key.rawValue
    isEnabled = try reader.flag("enabled") ?? true
    bucketing = try reader.optional("bucketing")?.id()
    schedules = try reader.list("schedules").map { schedule throws(ExperimentError) in
      Schedule(from: try schedule.time("from"), to: try schedule.time("to"))
    }
    let variables = try Self.variables(reader)
    self.variables = variables
    let first = try reader.optional("default")
    defaultVariation = try first?.variation(of: variables) ?? VariationID(FlagVariation.off)
    var rules: [FlagRule] = []
    for rule in try reader.list("rules") {
      let read = try FlagRule(rule, variables: variables, segments: &segments)
      guard !rules.contains(where: { $0.id == read.id }) else {
        throw .invalidConfiguration(
          path: rule.path + ".id", reason: "is \"\(read.id)\" for the second time; ids are unique")
      }
      rules.append(read)
    }
    self.rules = rules
    forcible = rules.reduce(into: [key]) { forcible, rule in
      if !forcible.contains(rule.experiment) { forcible.append(rule.experiment) }
    }
  }

  /// The variables of each variation: those of the flag, with the values that the variation gives them.
  private static func variables(
    _ reader: ConfigurationReader
  ) throws(ExperimentError) -> [VariationID: [String: FlagVariable]] {
    var defaults: [String: FlagVariable] = [:]
    for item in try reader.list("variables") {
      let key = try item.required("key").text()
      let kind = try item.required("type").choice(FlagVariable.Kind.self)
      let value = try item.required("value")
      guard kind.admits(value.value) else {
        throw value.refusal("is \(value.value.kindName), which is no \(kind.rawValue)")
      }
      defaults[key] = FlagVariable(key: key, kind: kind, value: value.value)
    }
    var variations: [VariationID: [String: FlagVariable]] = [:]
    for item in try reader.list("variations") {
      let key = try item.required("key")
      let variation = VariationID(try key.id()).normalized
      var variables = defaults
      if let given = try item.optional("variables")?.object() {
        for name in given.members(except: []).names {
          let value = try given.required(name)
          guard let kind = defaults[name]?.kind else {
            throw value.refusal("is no variable of the flag; add it to the flag's variables")
          }
          guard kind.admits(value.value) else {
            throw value.refusal("is \(value.value.kindName), which is no \(kind.rawValue)")
          }
          variables[name]?.value = value.value
        }
      }
      guard variations.updateValue(variables, forKey: variation) == nil else {
        throw key.refusal("is \"\(variation)\" for the second time; keys are unique")
      }
    }
    // A flag can always be inactive.
    if variations[VariationID(FlagVariation.off)] == nil {
      variations[VariationID(FlagVariation.off)] = defaults
    }
    return variations
  }
}

extension FlagRule {
  /// Reads a rule.
  init(
    _ reader: ConfigurationReader, variables: [VariationID: [String: FlagVariable]],
    segments: inout SegmentReader
  ) throws(ExperimentError) {
    id = try reader.required("id").id()
    experiment = ExperimentID(try reader.optional("experiment")?.id() ?? id)
    kind = try reader.optional("type")?.choice(Kind.self) ?? .experiment
    exposition = try reader.share("exposition") ?? 1
    var segment: Segment?
    if let member = try reader.optional("targeting") { segment = try segments.targeting(member) }
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
    let respool = try reader.integer("respool") ?? 0
    let suffix = respool == 0 ? "" : String(respool)
    expositionSalt = id + suffix
    variationSalt = experiment.rawValue + suffix
    context = ["rule": .text(id), "experiment": .text(experiment.rawValue)]
  }
}

extension FlagHoldout {
  /// Reads a holdout.
  init(_ reader: ConfigurationReader) throws(ExperimentError) {
    id = try reader.required("id").id()
    (choices, deviations) = try reader.shares { member throws(ExperimentError) in
      VariationID(try member.id())
    }
  }
}

extension ConfigurationReader {
  /// Seconds since 1970; nil when there is no such member.
  fileprivate func time(_ name: String) throws(ExperimentError) -> Timestamp? {
    try integer(name).map { Timestamp(microseconds: 0).adding(seconds: $0) }
  }

  /// A number in 0 ... 1.
  fileprivate func share(_ name: String) throws(ExperimentError) -> Double? {
    guard let member = try optional(name) else { return nil }
    let share = try member.number()
    guard share >= 0, share <= 1 else {
      throw member.refusal("is \(share); give a share of the traffic in 0 ... 1")
    }
    return share
  }

  /// The keys and deviations of the member `variations`: keys are unique, deviations add up to at most 1.
  fileprivate func shares(
    _ key: (Member) throws(ExperimentError) -> VariationID
  ) throws(ExperimentError) -> (choices: [VariationID], deviations: [Double]) {
    var (choices, deviations): ([VariationID], [Double]) = ([], [])
    for item in try list("variations") {
      let member = try item.required("key")
      let choice = try key(member)
      guard !choices.contains(choice) else {
        throw member.refusal("is \"\(choice)\" for the second time; keys are unique")
      }
      choices.append(choice)
      deviations.append(try item.share("deviation") ?? 0)
    }
    let sum = deviations.reduce(0, +)
    guard sum <= 1 + ExperimentPlan.slack else {
      throw .invalidConfiguration(
        path: path + ".variations",
        reason: "have deviations that add up to \(sum); lower them to 1 or less")
    }
    return (choices, deviations)
  }
}

extension ConfigurationReader.Member {
  /// The key of a variation that the flag has.
  fileprivate func variation(
    of variables: [VariationID: [String: FlagVariable]]
  ) throws(ExperimentError) -> VariationID {
    let key = VariationID(try id()).normalized
    guard variables[key] != nil else {
      throw refusal("is \"\(key)\", which is no variation of the flag; add it to its variations")
    }
    return key
  }
}
