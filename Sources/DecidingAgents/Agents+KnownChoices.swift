internal import DecidingCore
internal import Events
internal import Specifications

extension Agents {
  /// Returns whether every slot of a request has choices: those given with it, recorded with an earlier decision, or
  /// defined. Where one has none, ``decide(_:)-(DecisionRequest)`` would choose between `a` and `b`.
  package func knowsChoices(of request: DecisionRequest) -> Bool {
    let point = request.point.map { PointID($0) } ?? .standard
    let open = (request.slots ?? []).filter { $0.choices?.isEmpty ?? true }.map { SlotID($0.slot) }
    if open.isEmpty, request.slots?.isEmpty == false { return true }
    return recorder.read { state in
      guard let known = state.agents[ExperimentID(request.agent)]?.known else { return false }
      let recorded = (known.points[point]?.slots ?? []).filter { !$0.choices.isEmpty }.map(\.slot)
      let defined = (known.plan?.slots(point: point.rawValue) ?? []).map { SlotID($0.code) }
      guard !open.isEmpty else { return !recorded.isEmpty || !defined.isEmpty }
      return open.allSatisfy { recorded.contains($0) || defined.contains($0) }
    }
  }

  /// Returns what is wrong with pausing an agent on choices that none of its slots had so far. It is allowed, since a
  /// later request can have them; until then the slots show their first choices.
  package func warnings(about pause: AgentPause, of agent: String) -> [String] {
    let known = recorder.read { $0.agents[ExperimentID(agent)]?.known }
    var choices: [String: [String]] = [:]
    for slot in known?.points.flatMap(\.value.slots) ?? [] {
      choices[slot.slot.rawValue, default: []] += slot.choices.map(\.rawValue)
    }
    for slot in known?.plan?.definition.points.flatMap(\.slots) ?? [] {
      choices[slot.code, default: []] += slot.choices.map(\.code)
    }
    if choices.isEmpty { return [] }
    func warning(_ code: String, among codes: [String], _ subject: String) -> String? {
      codes.contains { $0.hasSameBytes(as: code) }
        ? nil : "\(subject) \"\(code)\" so far" + NearestName.remedy(for: code, among: Set(codes).sorted())
    }
    let ofAll = pause.choice.flatMap {
      warning($0, among: choices.values.flatMap(\.self), "no slot has had the choice")
    }
    return (ofAll.map { [$0] } ?? [])
      + pause.slots.sorted { $0.key < $1.key }.compactMap { slot, choice in
        warning(slot, among: Array(choices.keys), "the agent has had no slot")
          ?? warning(choice, among: choices[slot] ?? [], "the slot \"\(slot)\" has not had the choice")
      }
  }
}
