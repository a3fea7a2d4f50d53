import Events

@testable import Replay

/// The rules that all reports share, by their words: what an exposure is, where a unit belongs, which goals are credited.
struct NaiveRules {
  /// A decision or first exposure that goals can be credited to.
  struct Target: Hashable {
    var arm: ArmName
    var index: Int
    var time: Int64
  }

  /// A goal or conversion, and what it is credited to.
  struct Credited {
    var event: NaiveEvent
    var targets: [Target]
  }

  /// What each unit did, in order, of the events that are read.
  let histories: [[NaiveEvent]]
  var attribution: Attribution

  init(_ events: [Event], since: Int64? = nil, _ attribution: Attribution) {
    self.attribution = attribution
    histories = Array(
      NaiveHistories.of(events.filter { $0.time.microseconds >= since ?? .min }).values)
  }

  private var end: Int64 { attribution.end?.microseconds ?? .max }

  private func isInProgress(_ time: Int64) -> Bool {
    guard attribution.excludesInProgress, let window = attribution.metricWindow else { return false }
    return time + attribution.delay + window > end
  }

  /// The exposures that are not after the end.
  var exposures: [ArmName] {
    histories.joined().filter { $0.time <= end }.compactMap(\.exposure)
  }

  /// The first exposure of a unit at every place.
  func first(_ history: [NaiveEvent]) -> [NaiveAssignment] {
    NaiveHistories.assignments(history, keepsCrossed: true, end: end)
  }

  /// Where a unit belongs.
  func assigned(_ history: [NaiveEvent]) -> [Target] {
    first(history).filter {
      !($0.isCrossed && attribution.crossing == .drop) && !isInProgress($0.time)
    }.map { Target(arm: $0.arm, index: $0.index, time: $0.time) }.sorted { $0.index < $1.index }
  }

  /// The decisions of a unit that count.
  func decisions(_ history: [NaiveEvent]) -> [Target] {
    history.enumerated().compactMap { index, event in
      guard let arm = event.arm, event.time <= end, !isInProgress(event.time) else { return nil }
      return Target(arm: arm, index: index, time: event.time)
    }
  }

  private func isOpen(_ event: NaiveEvent, since: Int64) -> Bool {
    let start = since + attribution.delay
    let window = event.isConversion ? attribution.conversionWindow : attribution.window
    return event.time >= start && event.time <= end && window.map { event.time <= start + $0 } ?? true
  }

  /// The goals or conversions of a unit that are credited to any of the targets in an experiment: of each name the first
  /// ones at each place, as many as the limit says. Of the targets at the places that a goal names, only those that are
  /// picked can have it, each at any place of its variant.
  func credited(
    _ history: [NaiveEvent], _ source: ConversionSource, _ experiment: String, to targets: [Target],
    pick: (([Target]) -> [Target])? = nil
  ) -> [Credited] {
    let here = targets.filter { $0.arm.experiment == experiment }
    let most = attribution.counting == .once ? min(attribution.limit ?? 1, 1) : attribution.limit
    var used: [[String]: Int] = [:]
    return history.compactMap { event -> Credited? in
      guard let (name, value) = event.signal(source, of: experiment) else { return nil }
      let size = source == .conversions ? abs(value) : value
      guard size >= attribution.minimum ?? size, size <= attribution.maximum ?? size
      else { return nil }
      let named = here.filter { event.isCreditable(at: $0.arm) }
      let open = named.filter { isOpen(event, since: $0.time) }
      let picked = pick.map { $0(named) }?.filter { isOpen(event, since: $0.time) } ?? open
      let charged =
        pick == nil
        ? open
        : open.filter { target in
          picked.contains { $0.arm.variant == target.arm.variant }
        }
      var admitted: Set<[String]> = []
      for place in Set(charged.map { Self.place($0) })
      where used[place + [name], default: 0] < most ?? .max {
        used[place + [name], default: 0] += 1
        admitted.insert(place)
      }
      let targets = picked.filter { target in
        pick == nil
          ? admitted.contains(Self.place(target))
          : charged.contains {
            $0.arm.variant == target.arm.variant && admitted.contains(Self.place($0))
          }
      }
      return targets.isEmpty ? nil : Credited(event: event, targets: targets)
    }
  }

  private static func place(_ target: Target) -> [String] { [target.arm.point, target.arm.slot] }

  /// The earliest target of each variant.
  static func earliestOfVariants(_ targets: [Target]) -> [Target] {
    Dictionary(grouping: targets, by: \.arm.variant).values.compactMap {
      $0.min { $0.index < $1.index }
    }
  }
}
