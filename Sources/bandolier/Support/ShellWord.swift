extension String {
  /// The text as a word that a shell passes on unchanged, in quotes where it needs them.
  var shellWord: String {
    let plain = #/[A-Za-z0-9_.,:=/+@%-]+/#
    return wholeMatch(of: plain) != nil ? self : "'\(replacing("'", with: #"'\''"#))'"
  }
}
