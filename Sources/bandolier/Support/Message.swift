import Reports

/// Messages to people, on standard error. That they cannot be written is no reason to fail.
enum Message {
  static func print(_ text: String) {
    let sink = StandardOutput(descriptor: 2, name: "standard error")
    try? sink.append(Array("bandolier: \(text)\n".utf8))
  }
}
