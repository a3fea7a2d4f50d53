/// The outcome that a column's name tells. It decides what counts as a success, and with which sign.
extension ColumnWords {
  /// The meaning of a word.
  enum Result {
    /// Something wanted.
    case success
    /// Something wanted that may also have been there before the assignment: `registered`.
    case start
    /// Something unwanted, which is no reward whatever its number.
    case loss
    /// Money that was paid back.
    case refund
    /// A score, of which 0 is a value like any other, and which is measured after the assignment.
    case score
  }

  /// The meaning of each stem; `convert`, `converts` and `converted` have one.
  private static let results: [String: Result] = {
    let stems: [(Result, String)] = [
      (
        .success,
        "reward outcom convert convers conv purchas order bought buy click retain return complet book booking bookings "
          + "paid pay respond responder repli upgrad download succeed succes deliver shipp renew transact donat accept "
          + "watch finish win won scroll reach achiev earn adopt surviv recover cur improv attend hir redeem claim "
          + "invit referr deposit trad"
      ),
      (
        .start,
        "signup signedup register install activat subscrib open shar lik appli used goal checkout"
      ),
      (
        .loss,
        "churn cancel cancell cancellat unsubscrib uninstall bounc downgrad abandon quit died death deceas mortalit "
          + "relaps readmitt readmiss hospitaliz hospitalizat fail failur crash complain complaint lost defect dropout "
          + "advers complicat sideeffect"
      ),
      (.refund, "refund chargeback reimburs revers reversal"),
      (.score, "nps csat satisfact"),
    ]
    var results: [String: Result] = [:]
    for (result, list) in stems {
      for stem in list.split(separator: " ") { results[String(stem)] = result }
    }
    return results
  }()

  /// Returns the stem of a word.
  static func stem(_ word: String) -> String {
    for ending in ["ions", "ion", "ments", "ment", "ies", "ed", "es", "s", "e", "y"]
    where word.hasSuffix(ending) && word.count >= ending.count + 3 {
      return String(word.dropLast(ending.count))
    }
    return word
  }

  /// Returns what a word says that happened; nil if it says nothing of the kind.
  func says(_ word: String) -> Result? { Self.results[Self.stem(word)] }

  /// Whether a word says that something happened.
  func isResult(_ word: String) -> Bool { says(word) != nil }

  /// Whether it says that the row is, or was, one that takes money back; `refund_reason` does not.
  var saysRefund: Bool { isRefund && !isTime && !isID && ends { says($0) == .refund } }

  /// Whether it says so of a row that is a purchase: `refunded`, and not `is_refund`, which may be an amount.
  var saysRefunded: Bool { words.contains { $0.hasSuffix("ed") && says($0) == .refund } }

  /// Whether it says what the row itself is: `is_refund`.
  var isOfRow: Bool { ["is", "was"].contains(words.first) }

  /// Whether it is about money that is paid back.
  var isRefund: Bool { words.contains { says($0) == .refund } }

  /// Whether it says that something happened that is not wanted: no reward, whatever its number.
  var isLoss: Bool { words.contains { [.loss, .refund].contains(says($0)) } }
}
