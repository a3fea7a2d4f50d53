import Events
import Scenarios
import Specifications
import Testing

/// A generated log in memory, with what the tests look at.
struct StorefrontLog: Sendable {
  /// One event.
  struct Row: Sendable {
    var position: Int
    var time: Timestamp
    var kind: EventKind
    var status: EventStatus?
    var unit: String
    var experiment: String
    var point: String
    var slot: String
    var variant: String
    var choices: [String]
    var propensity: Double?
    var probabilities: [Double]?
    var device: String?
    var value: Double?
    var revenue: Double?
    var negative: Bool?
    var goal: String?
  }

  /// A slot of an experiment at a point.
  struct Place: Hashable, Sendable {
    var experiment: String
    var point: String
    var slot: String
  }

  let rows: [Row]
  let truth: Truth

  init(events: Int, seed: UInt64, name: String = "storefront") throws {
    var generator = try ScenarioCatalog.standard.named(name).generator(events: events, seed: seed)
    var record = EventRecord()
    var rows: [Row] = []
    while generator.next(into: &record) {
      try record.validate()
      rows.append(Row(record, position: rows.count))
    }
    self.rows = rows
    truth = generator.truth
  }

  /// One log of 200,000 events that many tests share.
  static let large = Result { try StorefrontLog(events: 200_000, seed: 20_260_101) }

  /// The slots of the truth with their names as the reports have them.
  var slots: [(place: Place, slot: Truth.Slot)] {
    truth.experiments.flatMap { experiment in
      experiment.slots.map { slot in
        let place = Place(
          experiment: experiment.experiment, point: slot.point ?? PointID.standard.rawValue,
          slot: slot.slot ?? SlotID.standard.rawValue)
        return (place, slot)
      }
    }
  }
}

extension StorefrontLog.Row {
  init(_ record: EventRecord, position: Int) {
    var device: String?
    for attribute in record.context where record.string(attribute.name) == "device" {
      if case .text(let slice) = attribute.value { device = record.string(slice) }
    }
    self.init(
      position: position, time: record.time, kind: record.kind, status: record.status,
      unit: record.string(.unit) ?? "", experiment: record.string(.experiment) ?? "",
      point: record.string(.point) ?? PointID.standard.rawValue,
      slot: record.string(.slot) ?? SlotID.standard.rawValue,
      variant: record.string(.variant) ?? "",
      choices: record.choices.compactMap { record.string($0) }, propensity: record.propensity,
      probabilities: record.hasProbabilities ? record.probabilities : nil, device: device,
      value: record.value, revenue: record.revenue, negative: record.negative,
      goal: record.string(.goal))
  }

  var place: StorefrontLog.Place {
    StorefrontLog.Place(experiment: experiment, point: point, slot: slot)
  }

  /// Whether the row is a decision that was drawn: not an excluded one, nor a repetition.
  var isDrawn: Bool {
    kind == .decision && (status == nil || status == .confirmed || status == .provisional)
  }
}

/// Attribution as the definition says it, in a few lines: sort by time, credit the last decision.
struct NaiveRewards {
  struct Arm: Hashable {
    var place: StorefrontLog.Place
    var variant: String
    var device: String?
  }

  private struct Key: Hashable {
    var unit: String
    var place: StorefrontLog.Place
  }

  private(set) var decisions: [Arm: Int] = [:]
  private(set) var rewards: [Arm: Int] = [:]
  private(set) var values: [Arm: [Double]] = [:]
  private(set) var orphans = 0

  init(_ log: StorefrontLog) {
    let sorted = log.rows.sorted { ($0.time, $0.position) < ($1.time, $1.position) }
    let places = Set(log.slots.map { $0.place })
    var held: [Key: [Arm]] = [:]
    var last: [Key: Arm] = [:]
    for row in sorted {
      let key = Key(unit: row.unit, place: row.place)
      switch row.kind {
      case .decision:
        let arm = Arm(place: row.place, variant: row.variant, device: row.device)
        if row.status == .provisional { held[key, default: []].append(arm) }
        if row.status == nil { decide(arm, key, &last) }
      case .decisionConfirmed:
        for place in places where place.experiment == row.experiment && place.point == row.point {
          let key = Key(unit: row.unit, place: place)
          for arm in held.removeValue(forKey: key) ?? [] { decide(arm, key, &last) }
        }
      case .goal where row.status != .refused:
        for place in places where place.experiment == row.experiment {
          if let arm = last[Key(unit: row.unit, place: place)] {
            rewards[arm, default: 0] += 1
            values[arm, default: []].append(row.value ?? 1)
          } else {
            orphans += 1
          }
        }
      default: break
      }
    }
  }

  private mutating func decide(_ arm: Arm, _ key: Key, _ last: inout [Key: Arm]) {
    decisions[arm, default: 0] += 1
    last[key] = arm
  }

  /// Adds up over devices.
  func total<Value>(
    _ table: [Arm: Value], _ place: StorefrontLog.Place, _ variant: String
  ) -> [Value] {
    table.filter { $0.key.place == place && $0.key.variant == variant }.map { $0.value }
  }
}
