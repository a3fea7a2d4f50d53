/// The words of the sentences that say what a table answers.
package enum AnswerText {
  /// The answer of a table without rows.
  package static let nothing = "There is nothing to report: no selected event counts for it with these options."

  /// Returns the sentences that an answer has room for: the first three, so that what comes first must matter most.
  package static func answer(_ sentences: [String]) -> [String] { Array(sentences.prefix(3)) }

  /// Returns a number with an error or interval: four significant digits.
  package static func number(_ number: Double) -> String { CellText.text(number, as: .estimate) }

  /// Returns a share or rate as a percentage.
  package static func share(_ share: Double) -> String { CellText.text(share, as: .share) }

  /// Returns a number with its noun, such as `1 unit` or `20 units`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Returns a name of the log: in quotes if it is more than letters, digits and simple signs, so that it cannot be
  /// mistaken for words of the sentence.
  package static func name(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
          || "-_.:=/+".unicodeScalars.contains($0)
      }
    return isPlain ? name : "\"\(name)\""
  }

  /// Returns a list such as `a`, `a and b` or `a, b and 3 more`.
  package static func list(_ items: [String], most: Int = 5) -> String {
    guard items.count > 1 else { return items.first ?? "" }
    guard items.count > most else {
      return items.dropLast().joined(separator: ", ") + " and " + items[items.count - 1]
    }
    return items.prefix(most).joined(separator: ", ") + " and \(items.count - most) more"
  }
}
