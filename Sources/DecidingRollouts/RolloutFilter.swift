/// Filters by language or country.
enum RolloutFilter {
  /// Returns the entries without surrounding blanks; empty ones are dropped.
  static func entries(_ texts: [String]) -> [String] {
    texts.map(trimmed).filter { !$0.isEmpty }
  }

  /// Returns the entries of a comma-separated text.
  static func entries(separatedByCommas text: String) -> [String] {
    entries(text.split(separator: ",").map(String.init))
  }

  /// Returns whether a country is listed, ignoring case. Without a list everyone is admitted; with one, no
  /// one whose country is unknown.
  static func admits(country: String?, in list: [String]?) -> Bool {
    guard let list else { return true }
    let country = trimmed(country ?? "").lowercased()
    return !country.isEmpty && list.contains { $0.lowercased() == country }
  }

  /// Returns whether a language is listed, ignoring case. In the user's tag, everything from a `.` or `@` on
  /// is ignored, and `_` is read as `-`. An entry such as `en` matches whatever follows the first `-`, one
  /// such as `en-GB` the whole tag.
  static func admits(language: String?, in list: [String]?) -> Bool {
    guard let list else { return true }
    let tag = normalized((language ?? "").prefix { $0 != "." && $0 != "@" })
    let first = String(tag.prefix { $0 != "-" })
    guard !first.isEmpty else { return false }
    return list.contains { entry in
      let entry = normalized(entry[...])
      return entry == (entry.contains("-") ? tag : first)
    }
  }

  private static func normalized(_ tag: Substring) -> String {
    String(trimmed(String(tag)).lowercased().map { $0 == "_" ? "-" : $0 })
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    let head = text.drop(while: isBlank)
    return String(head.reversed().drop(while: isBlank).reversed())
  }
}
