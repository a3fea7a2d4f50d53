internal import Events

/// A request whose codes have been checked. A class, because it has many parts and is passed around.
final class AgentQuestion: Sendable {
  /// A slot and its choices without duplicates; empty for those used before.
  struct Slot: Sendable {
    var slot: SlotID
    var choices: [VariantID]
    /// The choices as text.
    var codes: [String]

    /// Creates a slot with the choices used before.
    init(slot: SlotID, choices: [VariantID]) {
      self.init(slot: slot, choices: choices, codes: choices.map(\.rawValue))
    }

    /// Creates a slot with the choices and their texts, which are those of the request if it has no
    /// duplicates.
    init(slot: SlotID, choices: [VariantID], codes: [String]) {
      self.slot = slot
      self.choices = choices
      self.codes = choices.count == codes.count ? codes : choices.map(\.rawValue)
    }
  }

  let request: DecisionRequest
  let agent: ExperimentID
  let point: PointID
  /// The slots without duplicates, in order; empty for those used before.
  let slots: [Slot]
  /// Whether there is a slot, and every slot has choices.
  let isComplete: Bool
  let features: [AgentFeature]
  let warnings: [String]

  /// Checks every code of a request.
  ///
  /// - Complexity: O(length of the codes); a set of the choices is built only when there are many.
  init(_ request: DecisionRequest) throws(AgentError) {
    self.request = request
    agent = ExperimentID(request.agent)
    point = request.point.map { PointID($0) } ?? .standard
    var warnings: [String] = []
    try Self.check(request.agent, .agent, &warnings)
    if let session = request.session { try AgentCode.check(session, role: .session) }
    if let point = request.point { try Self.check(point, .point, &warnings) }
    var slots: [Slot] = []
    for slot in request.slots ?? [] {
      try Self.check(slot.slot, .slot, &warnings)
      let codes = slot.choices ?? []
      let checked = Slot(
        slot: SlotID(slot.slot), choices: try Self.choices(codes, &warnings), codes: codes)
      if let index = slots.firstIndex(where: { $0.slot == checked.slot }) {
        slots[index] = checked
      } else {
        slots.append(checked)
      }
    }
    self.slots = slots
    isComplete = !slots.isEmpty && slots.allSatisfy { !$0.choices.isEmpty }
    for code in request.allowed ?? [] { try AgentCode.check(code, role: .choice) }
    for code in request.excluding { try AgentCode.check(code, role: .choice) }
    features = Self.features(request.features, &warnings)
    self.warnings = warnings
  }

  private static func check(_ code: String, _ role: AgentCodeRole, _ warnings: inout [String])
    throws(AgentError)
  {
    try AgentCode.check(code, role: role)
    if code.utf8.count >= AgentCode.warningLength,
      let warning = AgentCode.warning(about: code, role: role)
    {
      warnings.append(warning)
    }
  }

  private static func choices(_ codes: [String], _ warnings: inout [String]) throws(AgentError)
    -> [VariantID]
  {
    var choices: [VariantID] = []
    choices.reserveCapacity(codes.count)
    var seen: Set<VariantID> = []
    let isMany = codes.count > 16
    for code in codes {
      let choice = VariantID(code)
      let isNew = isMany ? seen.insert(choice).inserted : !choices.contains(choice)
      guard isNew else { continue }
      try check(code, .choice, &warnings)
      choices.append(choice)
    }
    return choices
  }

  /// Returns the features that have a weight, without duplicates: the last of those with the same name, at
  /// the position of the first.
  private static func features(_ features: [AgentFeature], _ warnings: inout [String])
    -> [AgentFeature]
  {
    var kept: [AgentFeature] = []
    for feature in features {
      guard feature.weight.isFinite else {
        warnings.append(
          "feature \"\(feature.name)\" was left out: its weight \(feature.weight) is not finite")
        continue
      }
      kept.put(feature)
    }
    return kept
  }
}

extension [AgentFeature] {
  /// Adds a feature, or replaces the one of the same name.
  mutating func put(_ feature: AgentFeature) {
    if let index = firstIndex(where: { $0.name.hasSameBytes(as: feature.name) }) {
      self[index] = feature
    } else {
      append(feature)
    }
  }
}
