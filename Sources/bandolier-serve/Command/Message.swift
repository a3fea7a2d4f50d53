internal import Tables

/// Messages to the user, on standard error. Failing to write them is not an error.
enum Message {
  /// Prints a message, with control characters escaped.
  static func print(_ text: String) {
    let sink = StandardOutput(descriptor: 2, name: "standard error")
    try? sink.append(Array("bandolier-serve: \(TerminalText.message(text))\n".utf8))
  }

  /// Prints the line that tells that the service is ready, which programs wait for.
  static func printAddress(_ url: String) {
    let sink = StandardOutput(descriptor: 2, name: "standard error")
    try? sink.append(Array("listening on \(url)\n".utf8))
  }
}
