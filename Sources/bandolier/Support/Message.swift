import Tables

/// Messages to people, on standard error. That they cannot be written is no reason to fail.
///
/// Whatever is said to people passes here, so here is where control characters of names, files and arguments are escaped.
enum Message {
  static func print(_ text: String) {
    write("bandolier: " + TerminalText.escapedLines(text))
  }

  /// Prints what the command line's parser has to say of an error, in as many lines as it has.
  static func print(parserText text: String) {
    write(TerminalText.escapedLines(text, indent: ""))
  }

  private static func write(_ text: String) {
    let sink = StandardOutput(descriptor: 2, name: "standard error")
    try? sink.append(Array("\(text)\n".utf8))
  }
}
