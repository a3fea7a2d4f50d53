internal import DecidingCore
internal import Events

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
}
