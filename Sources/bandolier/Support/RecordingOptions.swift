import ArgumentParser
import Bandits
import EventLog
import Events
import Reports
import Simulations
internal import Specifications
import Statistics
import Tables
import Threads

/// The options for recording a run as a log.
struct RecordingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write one run of one policy in one environment as a log, with propensities and rewards.",
      valueName: "log"), completion: .log)
  var log: String?

  @Option(
    help: ArgumentHelp(
      "The number of the run that --log writes (default: 0).", valueName: "number"),
    transform: OptionValue.integer)
  var run: UInt64?

  func validate() throws {
    if run != nil, log == nil { throw ValidationError("--run needs --log") }
  }

  /// Simulates the run, and writes its events as they occur.
  func record(_ prepared: PreparedPlan, into path: String, _ progress: ProgressOptions) throws {
    guard let simulation = prepared.single else {
      throw Failure(
        exitCode: Failure.usage,
        "--log writes one run; name one environment and one policy, and the run with --run")
    }
    let number = run ?? 0
    Interrupt.postpone()
    let writer = try LogTarget.fill(path, seed: seed(simulation, prepared.plan, number))
    let events = SimulatedEvents(simulation)
    let state = Monitor(Recording())
    let total = UInt64(simulation.rules.horizon)
    try progress.mode.showing("simulating", of: total, .count("decisions")) { update in
      _ = try simulation.record(number) { recorded in
        state.withLock { state in
          guard state.error == nil else { return }
          do {
            try state.record.load(events.event(recorded))
            try writer.append(state.record)
            if case .decision(let step, _, _, _) = recorded, step % 4_096 == 0 {
              update(UInt64(step))
              try Interrupt.check()
            }
          } catch { state.error = error }
        }
      }
      if let error = state.withLock({ $0.error }) { throw error }
      try writer.commit()
      try writer.finishFilling()
    }
    Message.print("wrote \(writer.nextPosition) events of run \(number) to \(path)")
  }

  /// The reused record, and the first error.
  private struct Recording: Sendable {
    var record = EventRecord()
    var error: (any Error)?
  }

  /// Returns the seed of the log. Two logs are the same log only when everything that determines the run is
  /// the same.
  private func seed(
    _ simulation: Simulation, _ plan: SimulationPlan, _ number: UInt64
  ) -> UInt64 {
    var key = StreamKey(seed: simulation.seed)
    key.add("simulate")
    key.add(simulation.environment.specification.description)
    key.add(simulation.policy.specification.description)
    key.add(UInt64(simulation.rules.horizon))
    key.add(UInt64(simulation.rules.batch))
    key.add(number)
    if let warmStart = plan.warmStart { key.add(warmStart) }
    for source in plan.sources { key.add(source.content) }
    return key.first
  }
}
