import EventLog
import Events

@testable import Replay

/// An arm by its names.
struct ArmName: Hashable {
  var experiment: String
  var point: String
  var slot: String
  var variant: String

  /// The same without its variant.
  var place: ArmName { ArmName(experiment: experiment, point: point, slot: slot, variant: "") }
}

extension ArmName {
  init(_ decision: Decision) {
    self.init(
      experiment: decision.experiment.rawValue, point: (decision.point ?? .standard).rawValue,
      slot: (decision.slot ?? .standard).rawValue, variant: decision.variant.rawValue)
  }
}

extension WorldLog {
  func name(_ arm: Arm) -> ArmName {
    ArmName(
      experiment: experiment(arm.experiment), point: point(arm.point), slot: slot(arm.slot),
      variant: variant(arm.variant))
  }

  /// Something of segments by the names of their arms, where nothing is broken down.
  func named<Value>(_ segments: [Segment: Value]) -> [ArmName: Value] {
    Dictionary(uniqueKeysWithValues: segments.map { (name($0.key.arm), $0.value) })
  }
}

/// An event of a unit where it counts: a confirmed provisional decision stands at its confirmation, and confirmations
/// are gone.
struct NaiveEvent {
  var time: Int64
  var payload: Payload
  /// Whether it is a decision that counts.
  var counts: Bool
  /// When it happened: of a provisional decision when it was made.
  var made: Int64

  /// The arm of a decision that counts.
  var arm: ArmName? {
    if counts, case .decision(let decision) = payload { return ArmName(decision) }
    return nil
  }

  /// The arm of an exposure: of a decision that counts, or of one that is repeated.
  var exposure: ArmName? {
    if case .decision(let decision) = payload, counts || decision.status == .repeated {
      return ArmName(decision)
    }
    return nil
  }

  /// The goal and its value, if it is one of the experiment that was not refused.
  func goal(of experiment: String) -> (name: String, value: Double)? {
    guard case .goal(let goal) = payload, goal.status != .refused,
      goal.experiment.rawValue == experiment
    else { return nil }
    return (goal.goal.rawValue, goal.value ?? 1)
  }

  /// The goal and the value of a conversion, or of a goal that was not refused.
  func signal(_ source: ConversionSource, of experiment: String) -> (name: String, value: Double)? {
    guard source == .conversions else { return goal(of: experiment) }
    guard case .conversion(let conversion) = payload else { return nil }
    return (
      conversion.goal.rawValue,
      conversion.takesBack
        ? -(conversion.revenue ?? 0).magnitude : conversion.revenue ?? 0
    )
  }

  /// Whether it can be credited at the place of an arm.
  func isCreditable(at arm: ArmName) -> Bool {
    guard case .goal(let goal) = payload else { return true }
    return goal.experiment.rawValue == arm.experiment
      && goal.point?.rawValue ?? arm.point == arm.point
      && goal.slot?.rawValue ?? arm.slot == arm.slot
  }

  /// Whether it is a goal, or a conversion that takes none back.
  var isConverting: Bool {
    if case .goal = payload { return true }
    return conversion != nil
  }

  /// Whether it is a conversion, taken back or not.
  var isConversion: Bool {
    if case .conversion = payload { return true }
    return false
  }

  /// The name of a conversion that takes none back.
  var conversion: String? {
    guard case .conversion(let conversion) = payload, !conversion.takesBack else {
      return nil
    }
    return conversion.goal.rawValue
  }
}

extension Conversion {
  /// Whether it takes an earlier one back: it says so, or has revenue below zero.
  var takesBack: Bool { negative ?? false || revenue.map { $0 < 0 } ?? false }
}

/// The first exposure of a unit at a place.
struct NaiveAssignment {
  var arm: ArmName
  var index: Int
  var time: Int64
  var isCrossed: Bool
}

/// What every unit did, by the words of the definitions.
enum NaiveHistories {
  static func of(_ events: [Event]) -> [String: [NaiveEvent]] {
    Dictionary(grouping: events, by: \.unit.rawValue).mapValues { events in
      history(EventOrder.sorted(events).map(\.element))
    }
  }

  private static func history(_ ordered: [Event]) -> [NaiveEvent] {
    var history: [NaiveEvent] = []
    for event in ordered {
      let time = event.time.microseconds
      switch event.payload {
      case .decision(let decision):
        history.append(
          NaiveEvent(
            time: time, payload: event.payload,
            counts: decision.status == nil || decision.status == .confirmed, made: time))
      case .decisionConfirmed(let confirmed):
        let moved = history.filter { isHeld($0, for: confirmed) }
        history.removeAll { isHeld($0, for: confirmed) }
        history += moved.map {
          NaiveEvent(time: time, payload: $0.payload, counts: true, made: $0.made)
        }
      default:
        history.append(NaiveEvent(time: time, payload: event.payload, counts: false, made: time))
      }
    }
    return history
  }

  private static func isHeld(_ event: NaiveEvent, for confirmed: DecisionConfirmed) -> Bool {
    guard !event.counts, case .decision(let decision) = event.payload,
      decision.status == .provisional
    else { return false }
    let arm = ArmName(decision)
    return arm.experiment == confirmed.experiment.rawValue
      && arm.point == (confirmed.point ?? .standard).rawValue
      && (confirmed.slot == nil || arm.slot == confirmed.slot?.rawValue)
  }

  /// The assignments of a unit, with crossed ones only if they are kept.
  static func assignments(
    _ history: [NaiveEvent], keepsCrossed: Bool = false, end: Int64 = .max
  ) -> [NaiveAssignment] {
    let exposures = history.enumerated().filter { $1.exposure != nil && $1.time <= end }
    return Dictionary(grouping: exposures) { $0.element.exposure?.place }.values.compactMap {
      there in
      guard let first = there.first, let arm = first.element.exposure else { return nil }
      let isCrossed = there.contains { $0.element.exposure != arm }
      guard keepsCrossed || !isCrossed else { return nil }
      return NaiveAssignment(
        arm: arm, index: first.offset, time: first.element.time, isCrossed: isCrossed)
    }
  }
}
