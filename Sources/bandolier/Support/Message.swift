import Tables

/// Messages to the user, on standard error. Failing to write them is not an error.
///
/// All messages are printed here, so this is where control characters in names, files and arguments are
/// escaped.
enum Message {
  static func print(_ text: String) {
    write("bandolier: " + TerminalText.escapedLines(text))
  }

  /// Prints the message of the command-line parser, which can have several lines.
  static func print(parserText text: String) {
    write(TerminalText.escapedLines(text, indent: ""))
  }

  private static func write(_ text: String) {
    let sink = StandardOutput(descriptor: 2, name: "standard error")
    try? sink.append(Array("\(text)\n".utf8))
  }
}
