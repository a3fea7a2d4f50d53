internal import Bandits
internal import DecidingCore
internal import Events

/// What a learned policy reads of a visitor, by the names under which decisions record it.
extension AgentFacts {
  /// Returns the context to record: ``context``, and the inputs that a policy reads.
  func context(for policy: ServedPolicy?) -> Attributes? {
    guard let policy else { return context }
    var all = context ?? [:]
    for source in policy.attributes {
      guard case .context(let name) = source, all[name] == nil else { continue }
      all[name] = input(name, asNumber: policy.readsNumber(source))
    }
    return all.entries.isEmpty ? nil : all
  }

  /// Returns the attributes of the choices to record: what a policy reads of their metadata; nil if it reads nothing.
  static func features(
    _ slot: AgentQuestion.Slot, for policy: ServedPolicy?,
    _ options: OrderedMap<String, AgentOption>?
  ) -> Features? {
    guard let policy, let options else { return nil }
    var features: Features = [:]
    for choice in slot.choices {
      var attributes: Attributes = [:]
      for source in policy.attributes {
        guard case .features(let name) = source else { continue }
        attributes[name] = attribute(
          options[choice.rawValue]?.meta[name], asNumber: policy.readsNumber(source))
      }
      if !attributes.entries.isEmpty { features[choice] = attributes }
    }
    return features.entries.isEmpty ? nil : features
  }

  /// Returns the probabilities of a policy for the choices of a slot at the given indices.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - context: The recorded context.
  ///   - features: The recorded attributes of the choices.
  ///   - slot: The slot.
  ///   - places: The indices of the choices.
  /// - Returns: The allocation, without a refusal.
  static func allocation(
    _ policy: ServedPolicy, _ context: Attributes?, _ features: Features?,
    _ slot: AgentQuestion.Slot, _ places: [Int]
  ) -> Allocation {
    Allocation(
      probabilities: policy.probabilities(
        slot: slot.slot.rawValue, choices: places.map { slot.choices[$0].rawValue }
      ) { source, place in
        switch source {
        case .context(let name): context?[name].map { FeatureValue($0) }
        case .features(let name):
          features?[slot.choices[places[place]]]?[name].map { FeatureValue($0) }
        case .variant, .slot: nil
        }
      })
  }

  /// Returns an input. Names that decisions give the segment and the features are not those of inputs.
  private func input(_ name: String, asNumber: Bool) -> AttributeValue? {
    guard name != "segment", !name.hasPrefix("feature:") else { return nil }
    return Self.attribute(question.request.inputs[name], asNumber: asNumber)
  }

  private static func attribute(_ json: JSONValue?, asNumber: Bool) -> AttributeValue? {
    guard let json else { return nil }
    if asNumber, json.string != nil, let number = AgentCondition.number(json) {
      return .number(number)
    }
    if case .number(let number) = json, !number.isFinite { return nil }
    return try? json.decoded(as: AttributeValue.self)
  }
}

extension FeatureValue {
  /// Creates the value of a recorded attribute.
  fileprivate init(_ value: AttributeValue) {
    self =
      switch value {
      case .number(let number): .number(number)
      case .integer(let number): .number(Double(number))
      case .text(let text): .text(text)
      case .flag(let flag): .flag(flag)
      }
  }
}
