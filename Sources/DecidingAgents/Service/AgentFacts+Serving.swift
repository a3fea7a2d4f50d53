internal import Bandits
internal import DecidingCore
internal import Events

/// The attributes of choices to record, and what was left out of them.
typealias ChoiceFeatures = (features: Features?, leftOut: [String])

/// The features of a visitor that a learned policy reads, by the names under which decisions record it.
extension AgentFacts {
  /// Returns the attributes of the choices to record: those that the request gives, and what is defined of them; none
  /// if there are none. Numbers that a policy reads are numbers, also where they are written as texts.
  static func features(
    _ slot: AgentQuestion.Slot, of request: DecisionRequest, for policy: ServedPolicy?,
    _ options: OrderedMap<String, AgentOption>?
  ) -> ChoiceFeatures {
    guard options != nil || !request.choiceFeatures.isEmpty else { return (nil, []) }
    var features: Features = [:]
    var leftOut: [String] = []
    for choice in slot.choices {
      let recorded = RecordedAttributes(
        of: choice.rawValue, given: FlatInputs(request.choiceFeatures[choice.rawValue] ?? [:]),
        defined: FlatInputs(options?[choice.rawValue]?.meta ?? [:]), for: policy)
      if !recorded.attributes.entries.isEmpty { features[choice] = recorded.attributes }
      leftOut += recorded.leftOut
    }
    return (features.entries.isEmpty ? nil : features, leftOut)
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
  func input(_ name: String, asNumber: Bool) -> AttributeValue? {
    Self.isReserved(name) ? nil : Self.attribute(inputs[name], asNumber: asNumber)
  }

  /// The name under which a decision records that it was fetched ahead, together with others.
  static let prefetchName = "request:prefetch"

  /// Returns whether decisions give the segment, a feature or a kind of request the name.
  static func isReserved(_ name: String) -> Bool {
    name.hasSameBytes(as: "segment") || name.utf8.starts(with: "feature:".utf8)
      || name.utf8.starts(with: "request:".utf8)
  }

  /// Returns a value as an attribute; nil if it cannot be one.
  static func attribute(_ json: JSONValue?, asNumber: Bool) -> AttributeValue? {
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
