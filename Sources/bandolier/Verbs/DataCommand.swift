import ArgumentParser
import DecidingCore
import Events

struct DataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "data",
    abstract: "Record a data point of a unit, and append it to a log.",
    usage: "bandolier data --log <log> --unit <unit> --kind <kind>\n  [<options>]",
    discussion: """
      Any kind of data point: custom (key: an index), interest, consent, device; optionTaken (key: a study, value: an \
      option) and optionEncountered (key: a study) for predictions. A value that reads as a number, or as true or \
      false, is one; write --text for a value that is not. The answer is one JSON object.
      """)

  /// The kinds that reports and predictions know.
  static let kinds = [
    "custom", "interest", "consent", "device", "optionTaken", "optionEncountered",
  ]

  @OptionGroup var live: LiveOptions

  @Option(
    help: ArgumentHelp("The kind of data point, such as custom or device.", valueName: "kind"),
    completion: .list(Self.kinds))
  var kind: String

  @Option(help: ArgumentHelp("The key within the kind.", valueName: "key"))
  var key: String?

  @Option(help: ArgumentHelp("Its value.", valueName: "value"))
  var value: String?

  @Flag(help: "Store the value as text, even if it looks like a number or a boolean.")
  var text = false

  func validate() throws {
    if kind.isEmpty { throw ValidationError("--kind must not be empty") }
    if kind == "optionTaken" || kind == "optionEncountered" {
      guard let key, !key.isEmpty else {
        throw ValidationError("--kind \(kind) needs --key with the study")
      }
      if kind == "optionTaken", (value ?? "").isEmpty {
        throw ValidationError("--kind optionTaken needs --value with the option")
      }
    }
  }

  func run() throws {
    let log = try LiveLog(live)
    // The name of a study's option is always a text.
    let isText = text || kind == "optionTaken"
    let attribute = value.map { isText ? .text($0) : Self.attribute($0) }
    let surroundings = log.surroundings()
    try surroundings.sink.append([
      Event(
        time: log.now, unit: UnitID(live.unit), id: EventID(surroundings.ids.next()),
        payload: .dataPoint(DataPoint(kind: kind, key: key, value: attribute)))
    ])
    try log.answer(
      .answer([
        ("unit", .string(live.unit)), ("kind", .string(kind)), ("key", .text(key)),
        ("value", try attribute.map { try JSONValue(encoding: $0) }), ("recorded", true),
      ]))
  }

  private static func attribute(_ text: String) -> AttributeValue {
    switch try? JSONValue(parsing: text) {
    case .integer(let integer): AttributeValue(integer)
    case .number(let number): .number(number)
    case .boolean(let flag): .flag(flag)
    default: .text(text)
    }
  }
}

extension DataCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier data --log live.log --unit u-1 --kind device \
      --key device --value phone
    """#,
    #"""
    bandolier data --log live.log --unit u-1 --kind optionTaken \
      --key tabs --value map
    """#,
  ]
}
