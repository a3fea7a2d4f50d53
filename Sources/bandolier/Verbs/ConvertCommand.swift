import ArgumentParser
import DecidingExperiments
import EventLog
import Events
import Reports

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Record a conversion of a unit, and append it to a log.",
    usage: "bandolier convert --log <log> --unit <unit> --goal <goal>\n  [<options>]",
    discussion: """
      A conversion is a goal that is tied to no experiment; reports credit it to the experiments that the unit was in. \
      The answer is one JSON object.
      """)

  @OptionGroup var live: LiveOptions

  @Option(help: ArgumentHelp("The id of the goal.", valueName: "goal"))
  var goal: String

  @Option(
    help: ArgumentHelp("The revenue (default: 0).", valueName: "number"),
    transform: OptionValue.number)
  var revenue = 0.0

  @Flag(
    help:
      "Record that an earlier conversion was revoked: its revenue is subtracted, as a revenue below 0 is without this."
  )
  var negative = false

  @Option(
    help: ArgumentHelp(
      "Custom data: an index and a value; can be given more than once.",
      valueName: "index=value"),
    transform: KeyValue.parse)
  var metadata: [KeyValue] = []

  func validate() throws {
    for entry in metadata where Int(entry.key) == nil {
      throw ValidationError(
        "--metadata \(entry.key): the index of custom data must be a whole number")
    }
  }

  func run() async throws {
    let log = try LiveLog(live)
    let client = try log.experiments(siteCode: "")
    let data = metadata.map { CustomData(index: Int($0.key) ?? 0, value: $0.value) }
    let conversion = Conversion(
      goalID: GoalID(goal), revenue: revenue, negative: negative, metadata: data)
    try client.addData(userID: live.unit, data: conversion)
    try await client.flush(userID: live.unit)
    try log.answer(
      .answer([
        ("unit", .string(live.unit)), ("goal", .string(goal)), ("revenue", .number(revenue)),
        ("negative", .boolean(negative)), ("recorded", true),
      ]))
  }
}

extension ConvertCommand: WorkedExamples {
  static let examples = [
    "bandolier convert --log live.log --unit u-1 --goal signup",
    #"""
    bandolier convert --log live.log --unit u-1 --goal order \
      --revenue 12.5
    """#,
  ]
}
