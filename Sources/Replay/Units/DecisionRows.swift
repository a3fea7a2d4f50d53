internal import EventLog
internal import Events

// How all collectors read the decisions of a batch.

extension UnitSelection {
  /// Returns the kind of a row's decision.
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
  /// Returns the arm of a decision.
  func arm(_ batch: EventBatch, _ row: Int) -> Arm {
    Arm(
      experiment: batch.experiments[row],
      point: batch.points[row] == 0 ? point : batch.points[row],
      slot: batch.slots[row] == 0 ? slot : batch.slots[row],
      variant: batch.variants[row])
  }

  /// Returns the point and slot that a goal names, as an arm with variant 0.
  func namedPlace(_ batch: EventBatch, _ row: Int) -> Arm {
    Arm(
      experiment: batch.experiments[row],
      point: batch.points[row] == 0 ? ArmRegister.everyPoint : batch.points[row],
      slot: batch.slots[row] == 0 ? ArmRegister.everySlot : batch.slots[row], variant: 0)
  }

  /// Returns the place that a confirmation confirms, as an arm with variant 0.
  func confirmedArm(_ batch: EventBatch, _ row: Int) -> Arm {
    var arm = arm(batch, row)
    if batch.slots[row] == 0 { arm.slot = ArmRegister.everySlot }
    return arm
  }
}

extension DimensionRegister {
  /// Returns the index of the dimension's value of a decision; nil if decisions do not have the dimension. An attribute
  /// of the context is that of the given place among those of the batch.
  mutating func index(
    ofDecision dimension: Dimension, _ batch: EventBatch, _ row: Int, in calendar: DayCalendar,
    attribute: Int = 0
  ) -> UInt32? {
    switch dimension {
    case .policy: index(ofName: batch.policies[row])
    case .reason: index(ofName: batch.reasons[row])
    case .day: index(ofDay: calendar.day(of: batch.times[row]))
    case .context: index(of: batch, row, attribute: attribute)
    case .data: nil
    }
  }
}
