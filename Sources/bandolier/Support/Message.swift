import Tables

/// Messages to the user, on standard error. Failing to write them is not an error.
///
/// All messages are printed here, so this is where control characters in names, files and arguments are
/// escaped, and where those that are too long for a line are shortened.
enum Message {
  static func print(_ text: String) {
    write("bandolier: " + TerminalText.message(text))
  }

  /// Prints the message of the command-line parser, which can have several lines, with the lead of all errors.
  static func print(parserText text: String) {
    let lead = "Error: "
    let body = text.hasPrefix(lead) ? "bandolier: error: " + text.dropFirst(lead.count) : text
    write(TerminalText.messageLines(body))
  }

  /// Returns a message in which the arguments that it quotes have no line breaks.
  static func quoting(_ arguments: [String], in text: String) -> String {
    let values = arguments.compactMap { argument in
      argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
    }
    return TerminalText.escaping(arguments + values, in: text)
  }

  /// Returns how many events were left out for the id of another, as a part of a line of counts; empty for none.
  static func refused(_ count: Int) -> String { count > 0 ? ", refused \(count) (id of another event)" : "" }

  private static func write(_ text: String) {
    let sink = StandardOutput(descriptor: 2, name: "standard error")
    try? sink.append(Array("\(text)\n".utf8))
  }
}
