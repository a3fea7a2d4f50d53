internal import DecidingCore
internal import Events

extension FlagPlan {
  /// Reads the variables of each variation: those of the flag, with the variation's own values.
  static func variables(
    _ reader: ConfigurationReader
  ) throws(ExperimentError) -> [VariationID: [TextKey: FlagVariable]] {
    var defaults: [TextKey: FlagVariable] = [:]
    for item in try reader.objects("variables") {
      let key = try item.required("key").text()
      let kind = try item.required("type").word(FlagVariable.Kind.self)
      let value = try item.required("value")
      guard kind.admits(value.value) else {
        throw value.problem("is \(value.value.kindName), which is no \(kind.rawValue)")
      }
      defaults[TextKey(key)] = FlagVariable(key: key, kind: kind, value: value.value)
    }
    var variations: [VariationID: [TextKey: FlagVariable]] = [:]
    for item in try reader.objects("variations") {
      let key = try item.required("key")
      let variation = VariationID(try key.id()).normalized
      var variables = defaults
      if let given = try item.optional("variables")?.object() {
        for name in try given.members().names {
          let value = try given.required(name)
          guard let kind = defaults[TextKey(name)]?.kind else {
            throw value.problem("is no variable of the flag; add it to the flag's variables")
          }
          guard kind.admits(value.value) else {
            throw value.problem("is \(value.value.kindName), which is no \(kind.rawValue)")
          }
          variables[TextKey(name)]?.value = value.value
        }
      }
      guard variations.updateValue(variables, forKey: variation) == nil else {
        throw key.problem("is \"\(variation)\" for the second time; keys are unique")
      }
    }
    // Every flag can be inactive.
    if variations[VariationID(FlagVariation.off)] == nil {
      variations[VariationID(FlagVariation.off)] = defaults
    }
    return variations.withUniformNumbers
  }
}

extension [VariationID: [TextKey: FlagVariable]] {
  /// The variables, of which each number has a decimal point in all variations if it has one in any, so that its type
  /// does not depend on the variation.
  fileprivate var withUniformNumbers: Self {
    var decimals: Set<TextKey> = []
    for variables in values {
      for (key, variable) in variables {
        if case .number = variable.value, variable.kind == .number { decimals.insert(key) }
      }
    }
    return mapValues { variables in
      var variables = variables
      for key in decimals {
        if let number = variables[key]?.value.number { variables[key]?.value = .number(number) }
      }
      return variables
    }
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

extension ConfigurationReader where Problem == ExperimentError {
  /// Reads a time in seconds since 1970; nil when it is missing.
  func time(_ name: String) throws(ExperimentError) -> Timestamp? {
    (try optional(name)?.whole()).map { Timestamp(microseconds: 0).adding(seconds: $0) }
  }

  /// Reads a number in 0 ... 1.
  func share(_ name: String) throws(ExperimentError) -> Double? {
    guard let member = optional(name) else { return nil }
    let share = try member.number()
    guard share >= 0, share <= 1 else {
      throw member.problem("is \(share); give a share of the traffic in 0 ... 1")
    }
    return share
  }

  /// Reads the member `variations`, keys with deviations: keys are unique, deviations add up to at most 1.
  func shares(
    _ key: (ConfigurationReader) throws(ExperimentError) -> VariationID
  ) throws(ExperimentError) -> (choices: [VariationID], deviations: [Double]) {
    var (choices, deviations): ([VariationID], [Double]) = ([], [])
    for item in try objects("variations") {
      let member = try item.required("key")
      let choice = try key(member)
      guard !choices.contains(choice) else {
        throw member.problem("is \"\(choice)\" for the second time; keys are unique")
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

  /// Reads the key of one of the flag's variations.
  func variation(
    of variables: [VariationID: [TextKey: FlagVariable]]
  ) throws(ExperimentError) -> VariationID {
    let key = VariationID(try id()).normalized
    guard variables[key] != nil else {
      throw problem("is \"\(key)\", which is no variation of the flag; add it to its variations")
    }
    return key
  }
}
