import ArgumentParser
import DecidingAgents
import EventLog
import Events
import Reports

struct GoalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goal",
    abstract: "Tell agents that a unit reached a goal, and append it to a log.",
    usage: "bandolier goal --log <log> --unit <unit> [<options>]",
    discussion: """
      The goal counts when the unit has a confirmed decision, as often as the goal's limit allows, and within its \
      minimum and maximum; otherwise it is appended as refused, with the reason. The answer is one JSON object.
      """)

  @OptionGroup var live: LiveOptions

  @Option(
    help: ArgumentHelp(
      "The agent (default: every agent that decided for the unit).", valueName: "experiment"))
  var experiment: String?

  @Option(help: ArgumentHelp("The code of the goal (default: goal-1).", valueName: "goal"))
  var goal: String?

  @Option(
    help: ArgumentHelp(
      "The value of the goal (default: that of the goal's definition).", valueName: "number"),
    transform: OptionValue.number)
  var value: Double?

  func run() throws {
    let log = try LiveLog(live)
    let agents = try experiment.map { try log.agents(named: [$0]) } ?? log.allAgents()
    if let experiment { try log.noteUnknown(experiment) }
    let reply = try agents.goal(
      GoalRequest(agent: experiment, session: live.unit, goal: goal, reward: value))
    try log.answer(
      .answer([
        ("experiment", .text(experiment)), ("unit", .string(live.unit)),
        ("goal", .string(reply.goal)), ("reward", .number(reply.reward)),
        ("accepted", .boolean(reply.accepted)), ("refused", .text(reply.refusal?.rawValue)),
        ("rewards", experiment == nil ? .object(rewards(reply)) : nil),
      ]))
  }

  private func rewards(_ reply: GoalReply) -> JSONObject {
    JSONObject(reply.rewards.map { .init(name: $0.agent, value: .number($0.reward)) })
  }
}

extension GoalCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier decide --log live.log --unit u-1 \
      --experiment offer --choices A,B
    """#,
    #"""
    bandolier goal --log live.log --unit u-1 --experiment offer \
      --value 12.5
    """#,
    "bandolier report rewards live.log",
  ]
}
