internal import DecidingAgents
internal import DecidingCore
internal import DecidingExperiments
internal import DecidingRollouts

/// The states of all systems at a position of the log. They share their storage with the systems until those change, so
/// that a snapshot can be made of them while the systems decide.
struct DecidingSystemStates: Sendable {
  let position: UInt64
  private let agents: Snapshot<AgentsState>
  private let experiments: Snapshot<ExperimentsState>
  private let rollouts: Snapshot<RolloutsState>

  /// Takes the states of systems to which nothing was applied after the position.
  init(_ deciding: DecidingSystems, at position: UInt64) {
    self.position = position
    agents = deciding.agents.recorder.snapshot
    experiments = deciding.experiments.recorder.snapshot
    rollouts = deciding.rollouts.recorder.snapshot
  }

  /// The states as they are stored.
  ///
  /// - Complexity: O(size of the states).
  var snapshot: LogSnapshot {
    LogSnapshot(
      position: position, agents: CompactAgents(agents), experiments: experiments.text,
      rollouts: rollouts.text)
  }
}
