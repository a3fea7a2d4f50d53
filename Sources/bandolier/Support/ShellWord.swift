extension String {
  /// The text as a word that a shell passes on unchanged, in quotes where it needs them.
  var shellWord: String {
    let plain = #/[A-Za-z0-9_.,:=/+@%-]+/#
    return wholeMatch(of: plain) != nil ? self : "'\(replacing("'", with: #"'\''"#))'"
  }
}

extension [String] {
  /// The words as a command that a shell runs unchanged.
  var shellCommand: String { map(\.shellWord).joined(separator: " ") }
}
