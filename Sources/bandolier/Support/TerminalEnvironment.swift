import Platform
import Tables

/// The terminal as the environment describes it.
enum TerminalEnvironment {
  /// Returns the options of tables on standard output.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether they are written to a terminal: elsewhere the environment changes nothing.
  ///   - detail: How much a table for people shows.
  ///   - spreadsheetSafe: Whether CSV texts that a spreadsheet would take for a formula are prefixed.
  /// - Returns: The options.
  static func options(
    isTerminal: Bool, detail: TableDetail, spreadsheetSafe: Bool = false
  ) -> TableOptions {
    TableOptions(
      spreadsheetSafe: spreadsheetSafe, terminalWidth: Terminal.width(STDOUT_FILENO) ?? 80,
      detail: detail, allowsColour: isTerminal && allowsColour,
      allowsUnicode: !isTerminal || allowsUnicode)
  }

  /// Whether colour is allowed: no NO_COLOR (no-color.org), and a terminal that supports it.
  static var allowsColour: Bool { value("NO_COLOR") == nil && value("TERM") != "dumb" }

  /// Whether characters beyond ASCII are: a terminal that supports them, and a locale that is not known to be without
  /// UTF-8.
  static var allowsUnicode: Bool {
    guard value("TERM") != "dumb" else { return false }
    // The first that is set decides (POSIX, 8.2).
    guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first else {
      return true
    }
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Returns the value of a variable; nil if it is empty or not set.
  private static func value(_ name: String) -> String? {
    // Safety: nothing in this process changes the environment; the text is copied at once.
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
