public import EventLog
internal import Events

/// Rewards by variant: every goal goes to the latest counted decision of its unit and experiment at or
/// before it, for each point and slot of the experiment.
///
/// Latest is by event time, and among equal times by position in the log; so a log gives the same rewards
/// whether its events came in time or late. A confirmed decision counts from its own time on; a provisional
/// one from its `decisionConfirmed` on. Repeated and excluded decisions never count. A goal without a value
/// counts 1; a refused goal is credited to nobody.
///
/// The state holds 24 bytes for each decision, goal and confirmation of its units. The reward of a decision is
/// the sum of its goals rounded once, and all sums over decisions are exact, so neither the order of the log
/// nor the number of passes shows in a result.
public struct RewardProjector: UnitPartitionedProjector {
  /// Codes of the names that stand for a point or slot that is not given; 0 when the log does not have them.
  public struct StandardNames: Sendable {
    let point: UInt32
    let slot: UInt32

    /// The codes in a log.
    public init(_ names: LogNames) {
      point = names.code(of: PointID.standard.rawValue, in: .points) ?? 0
      slot = names.code(of: SlotID.standard.rawValue, in: .slots) ?? 0
    }
  }

  /// What has been seen, in the order of the log.
  public struct State: Sendable {
    var entries: [RewardEntry] = []
    var arms = ArmRegister()
    var ledger = RewardLedger()
  }

  private let standard: StandardNames
  private let partition: UnitPartition

  /// Rewards of all units of a log.
  public init(_ standard: StandardNames) {
    self.init(standard, .all)
  }

  private init(_ standard: StandardNames, _ partition: UnitPartition) {
    self.standard = standard
    self.partition = partition
  }

  /// Everything that decisions, goals and confirmations need.
  public var columns: EventColumns {
    [.time, .unit, .experiment, .point, .slot, .variant, .status, .value]
  }

  /// Frames with decisions, goals or confirmations.
  public var filter: FrameFilter { FrameFilter(kinds: [.decision, .goal, .decisionConfirmed]) }

  /// 24 for the entry and 8 to put it in order; arrays that grow may take as much again.
  public var bytesPerEvent: Int { 56 }

  /// The same for a part of the units.
  public func restricted(to partition: UnitPartition) -> RewardProjector {
    RewardProjector(standard, partition)
  }

  /// Nothing seen.
  public func makeState() -> State { State() }

  /// Keeps the decisions, goals and confirmations of the batch.
  public func apply(_ batch: EventBatch, to state: inout State) {
    for row in 0..<batch.count where partition.contains(batch.units[row]) {
      switch EventKind(rawValue: batch.kinds[row]) {
      case .decision: addDecision(batch, row, &state)
      case .goal: addGoal(batch, row, &state)
      case .decisionConfirmed: addConfirmation(batch, row, &state)
      default: break
      }
    }
  }

  private func arm(_ batch: EventBatch, _ row: Int) -> Arm {
    Arm(
      experiment: batch.experiments[row],
      point: batch.points[row] == 0 ? standard.point : batch.points[row],
      slot: batch.slots[row] == 0 ? standard.slot : batch.slots[row],
      variant: batch.variants[row])
  }

  private func addDecision(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    let kind: RewardEntry.Kind
    switch EventStatus(rawValue: batch.statuses[row]) {
    case nil where batch.statuses[row] != 0:
      state.ledger.unknownDecisions += 1
      return
    case nil, .confirmed: kind = .decision
    case .provisional: kind = .provisional
    case .repeated:
      state.ledger.repeatedDecisions += 1
      return
    default:
      state.ledger.excludedDecisions += 1
      return
    }
    let index = state.arms.index(of: arm(batch, row))
    state.entries.append(
      RewardEntry(
        unit: batch.units[row], experiment: batch.experiments[row], kind: kind,
        time: batch.times[row], payload: UInt64(index)))
  }

  private func addGoal(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    guard EventStatus(rawValue: batch.statuses[row]) != .refused else {
      state.ledger.refusedGoals += 1
      return
    }
    state.entries.append(
      RewardEntry(
        unit: batch.units[row], experiment: batch.experiments[row], kind: .goal,
        time: batch.times[row], payload: (batch.values[row] ?? 1).bitPattern))
  }

  /// A confirmation is kept as the arm that it confirms: its variant is 0, and its slot is 0 when it is for
  /// every slot of the point.
  private func addConfirmation(_ batch: EventBatch, _ row: Int, _ state: inout State) {
    var arm = arm(batch, row)
    if batch.slots[row] == 0 { arm.slot = ArmRegister.everySlot }
    let index = state.arms.index(of: arm)
    state.entries.append(
      RewardEntry(
        unit: batch.units[row], experiment: batch.experiments[row], kind: .confirmation,
        time: batch.times[row], payload: UInt64(index)))
  }

  /// Appends what the later part of the log has.
  public func merge(_ later: State, into state: inout State) {
    let indices = later.arms.arms.map { UInt64(state.arms.index(of: $0)) }
    state.entries.reserveCapacity(state.entries.count + later.entries.count)
    for var entry in later.entries {
      if entry.kind != .goal { entry.payload = indices[Int(entry.payload)] }
      state.entries.append(entry)
    }
    state.ledger.merge(later.ledger)
  }

  /// Credits the goals.
  ///
  /// - Complexity: O(n log n) in the entries of a unit, O(n) over units.
  public func result(of state: consuming State) -> RewardTallies {
    var attribution = RewardAttribution(arms: state.arms.arms, ledger: state.ledger)
    let order = UnitOrder(state.entries, partition)
    for unit in 0..<order.unitCount {
      attribution.credit(order.entries(ofUnit: unit, from: state.entries))
    }
    return attribution.tallies
  }

  /// Adds the rewards of other units.
  public func combine(_ other: RewardTallies, into result: inout RewardTallies) {
    result.merge(other)
  }
}
