import ArgumentParser
import Deciding
import Events
import Interchange
import OffPolicy

struct DecideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Decide for a unit, and append the decision to a log.",
    usage: "bandolier decide --log <log> --unit <unit>\n  --experiment <experiment> [<options>]",
    discussion: """
      The configuration tells which system decides: definitions of agents ({"agents":[...]}), a site with experiments \
      and flags (siteCode), rollouts (Variants and Settings by experiment) or sections of settings (config_sections), \
      in JSON or as a property list. An agent with the policy learned:path=FILE.json chooses by what `bandolier \
      learn` wrote; the file becomes part of the log. Without a configuration an agent of that name chooses among \
      --choices, each as likely as the other, and keeps its choice for the unit; later --choices may be left out.

      What the unit was given before is read from the log, so the same call again gives the same answer. The answer is \
      one JSON object with the decision, its propensity and its reason; it is printed when the decision is on disk.
      """)

  @OptionGroup var live: LiveOptions

  @Option(
    help: ArgumentHelp(
      "The configuration of the deciding system: a file, or - for standard input.",
      valueName: "file"), completion: .anyFile)
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The agent, experiment, flag or rollout to decide.", valueName: "experiment"))
  var experiment: String

  @Option(help: ArgumentHelp("Agents: where in the app.", valueName: "point"))
  var point: String?

  @Option(
    help: ArgumentHelp(
      "Agents: codes separated by commas, or several slots: color:red,blue/size:s,m.",
      valueName: "choices"))
  var choices: String?

  @Option(
    help: ArgumentHelp("Agents: only these choices, separated by commas.", valueName: "codes"))
  var allowed: String?

  @Option(
    help: ArgumentHelp("Agents: none of these choices, separated by commas.", valueName: "codes"))
  var excluding: String?

  @Option(help: ArgumentHelp("Agents: the segment of the unit.", valueName: "segment"))
  var segment: String?

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Agents: an input such as country=SE or age=33, which rules and a learned policy read, and which is recorded as "
        + "the context unless the definition's recordInputs says otherwise; may be repeated.",
      valueName: "key=value"),
    transform: KeyValue.parse)
  var inputs: [KeyValue] = []

  @Flag(
    help:
      "Agents and experiments: make a provisional decision, which counts once it is requested again without this flag."
  )
  var provisional = false

  @Option(
    help: ArgumentHelp("Rollouts: the answer if no variant applies.", valueName: "text"))
  var `default`: String?

  @Option(help: ArgumentHelp("Rollouts: the user's language, such as en-GB.", valueName: "tag"))
  var language: String?

  @Option(help: ArgumentHelp("Rollouts: the user's country, such as GB.", valueName: "country"))
  var country: String?

  @Option(
    help: ArgumentHelp(
      "Settings: the key of meta that has the group of the unit.", valueName: "key"))
  var metaKey = "group"

  func run() throws {
    // A log that does not exist has no choices, and is not created for an impossible decision.
    if config == nil, choices == nil, !LogTarget.exists(live.log) {
      throw Failure(
        exitCode: Failure.usage,
        "there is no log \(live.log) yet, so the choices of agent \"\(experiment)\" are unknown; give them with "
          + "--choices A,B"
      )
    }
    let log = try LiveLog(live)
    let answer =
      switch try config.map({ try Self.system($0, at: log.now) }) {
      case .agents(let definitions): try AgentDecider(self, log).decide(definitions)
      case .rollouts(let configuration): try RolloutDecider(self, log).decide(configuration)
      case .experiments(let configuration): try ExperimentDecider(self, log).decide(configuration)
      case .activeConfig(let state): try SettingsDecider(self, log).decide(state)
      case nil: try AgentDecider(self, log).decide([])
      }
    try log.answer(answer)
  }

  private static func system(_ path: String, at time: Timestamp) throws -> SystemFile {
    try SystemFile(path, at: time) { path, limit in
      try WholeInput.bytes(path, limit: limit) { Interrupt.waitForInput($0) }
    } learned: { text, name in
      try LearnedPolicyFile(parsing: text, name: name).policy
    }
  }
}

extension DecideCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier decide --log live.log --unit u-1 \
      --experiment offer --choices A,B
    """#,
    "bandolier decide --log live.log --unit u-1 --experiment offer",
    #"""
    bandolier decide --log live.log --unit u-2 \
      --experiment offer --choices A,B --seed 1
    """#,
  ]
}
