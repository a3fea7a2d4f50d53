/// The name, form and meaning of an option of a report, from which the command line, HTTP, Python and `explain` are
/// made.
public struct OptionInfo: Sendable {
  /// How often an option is given, and whether it has a value.
  public enum Form: Sendable {
    /// Without a value; given or not.
    case flag
    /// Once, with a value.
    case single
    /// Once, with a value, and never left out.
    case required
    /// Any number of times, with a value each time.
    case repeated
  }

  /// The groups in which the help of every verb lists options, by their titles, in this order.
  public enum Group: String, CaseIterable, Sendable {
    /// What is read.
    case input = "Input Options"
    /// What is measured.
    case metrics = "Metric Options"
    /// Which goals and conversions count.
    case attribution = "Attribution Options"
    /// How numbers are computed and judged.
    case statistics = "Statistics Options"
    /// What is written.
    case output = "Output Options"
  }

  /// The kind of a value.
  public enum Kind: String, Sendable { case text = "string", number, integer, flag = "boolean" }

  /// The completions of a value in a shell.
  public enum Completion: Sendable {
    /// Any of the words that the option lists, or nothing.
    case words
    /// A folder.
    case folder
    /// A file with one of these extensions; any file for none.
    case file([String])
  }

  /// The name, with dashes: `cap-percentile`.
  public let name: String
  /// How often it is given, and whether it has a value.
  public var form: Form
  /// The name of the value in help: `duration`.
  public let value: String
  /// The meaning, the form of the value, the default and an example, in a sentence.
  public let help: String
  /// The group.
  public var group = Group.metrics
  /// The kind of a value.
  public var kind = Kind.text
  /// Whether a value is a time, of which a date is the start in the time zone of the report.
  public var isTime = false
  /// The words that a value can be; empty if it can be anything else.
  public var words: [String] = []
  /// Returns the words that a shell offers, where ``words`` has none.
  public var offers: @Sendable () -> [String] = { [] }
  /// The word that the report has where the option is not given; nil if ``help`` says it.
  public var standard: String?
  /// The completions in a shell.
  public var completion = Completion.words
  /// Options without which this one means nothing.
  public var needs: [String] = []
  /// Options that cannot be given beside this one.
  public var excludes: [String] = []
  /// Whether it reads or writes a file, or ends with an exit code, which only a command can.
  public var isOfCommand = false
  /// Whether databases do not have what it needs.
  public var needsLog = false

  /// Creates the description of an option without properties that few have.
  public init(_ name: String, _ form: Form, _ value: String, _ help: String) {
    (self.name, self.form, self.value, self.help) = (name, form, value, help)
    if form == .flag { kind = .flag }
  }

  /// The meaning with the words that a value can be, as help shows it.
  public var meaning: String {
    guard !words.isEmpty else { return help }
    let list = "values: \(words.joined(separator: ", "))"
    return "\(help) (\(list)\(standard.map { "; default: \($0)" } ?? ""))"
  }
}
