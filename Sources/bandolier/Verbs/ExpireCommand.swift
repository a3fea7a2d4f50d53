import ArgumentParser
import DecidingAgents
import DecidingRollouts
import EventLog
import Events

struct ExpireCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expire",
    abstract: "Remove the assignment of a unit, so that its next decision is a new one.",
    usage: "bandolier expire --log <log> --unit <unit>\n  --experiment <experiment> [<options>]",
    discussion: """
      Ends the unit's session with an agent, or with --rollout removes its number and variant of a rollout. The answer \
      is one JSON object; expired is false if there was nothing to remove.
      """)

  @OptionGroup var live: LiveOptions

  @Option(help: ArgumentHelp("The agent or the rollout.", valueName: "experiment"))
  var experiment: String

  @Flag(help: "The experiment is a rollout.")
  var rollout = false

  func run() throws {
    // A log that does not exist has nothing to expire, and is not created.
    _ = try LogReader(live.log)
    let log = try LiveLog(live)
    let before = log.writer.nextPosition
    if rollout {
      let rollouts = Rollouts(
        unit: live.unit, surroundings: log.surroundings(), replaying: try log.eventsOfUnit())
      rollouts.removeExperimentDraw(experiment)
    } else {
      try log.agents(named: [experiment]).expire(session: live.unit, agent: experiment)
    }
    try log.noteUnknown(experiment)
    try log.answer(
      .answer([
        ("experiment", .string(experiment)), ("unit", .string(live.unit)),
        ("expired", .boolean(log.writer.nextPosition > before)),
      ]))
  }
}

extension ExpireCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier decide --log live.log --unit u-1 \
      --experiment offer --choices A,B
    """#,
    "bandolier expire --log live.log --unit u-1 --experiment offer",
  ]
}
