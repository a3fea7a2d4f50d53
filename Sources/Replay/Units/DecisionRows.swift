internal import EventLog
internal import Events

// How the decisions of a batch are read, whoever collects them.

extension UnitSelection {
  /// What sort of decision a row has.
  @inline(__always)
  func decisionKind(_ batch: EventBatch, _ row: Int) -> UnitEvent.Kind {
    if !leftOutReasons.isEmpty, leftOutReasons.contains(batch.reasons[row]) { return .leftOut }
    switch EventStatus(rawValue: batch.statuses[row]) {
    case nil where batch.statuses[row] != 0: return .unknown
    case nil, .confirmed: return .decision
    case .provisional: return .provisional
    case .repeated: return .repeated
    default: return .excluded
    }
  }
}

extension StandardNames {
  /// The arm of a decision.
  func arm(_ batch: EventBatch, _ row: Int) -> Arm {
    Arm(
      experiment: batch.experiments[row],
      point: batch.points[row] == 0 ? point : batch.points[row],
      slot: batch.slots[row] == 0 ? slot : batch.slots[row],
      variant: batch.variants[row])
  }

  /// The point and slot that a goal names, as an arm: its variant is 0.
  func namedPlace(_ batch: EventBatch, _ row: Int) -> Arm {
    Arm(
      experiment: batch.experiments[row],
      point: batch.points[row] == 0 ? ArmRegister.everyPoint : batch.points[row],
      slot: batch.slots[row] == 0 ? ArmRegister.everySlot : batch.slots[row], variant: 0)
  }

  /// What a confirmation confirms, as an arm: its variant is 0.
  func confirmedArm(_ batch: EventBatch, _ row: Int) -> Arm {
    var arm = arm(batch, row)
    if batch.slots[row] == 0 { arm.slot = ArmRegister.everySlot }
    return arm
  }
}

extension DimensionRegister {
  /// The index of the value that a decision has; nil when decisions do not have the dimension.
  mutating func index(
    ofDecision dimension: Dimension, _ batch: EventBatch, _ row: Int
  ) -> UInt32? {
    switch dimension {
    case .policy: index(ofName: batch.policies[row])
    case .reason: index(ofName: batch.reasons[row])
    case .day: index(ofDay: batch.times[row])
    case .context: index(of: batch.attributes[0], row)
    case .data: nil
    }
  }
}
