/// A search for the existing name nearest to a misspelled one, for messages such as `did you mean "pricing"?`.
///
/// Names are compared by Unicode scalars, ignoring ASCII case. An edit inserts, deletes or replaces one scalar, or
/// swaps two neighbors (optimal string alignment distance). The result depends on the names alone.
package enum NearestName {
  /// Returns the name with the fewest edits; ties go to the bytewise smallest.
  ///
  /// - Parameters:
  ///   - text: The misspelled name.
  ///   - names: The existing names.
  /// - Returns: The nearest name if it is one edit away; otherwise the shortest one that begins with the text;
  ///   otherwise the nearest one at most a third of the text's length away (rounded up); otherwise the longest one that
  ///   the text begins with, at least half of it; nil if there is none.
  /// - Complexity: O(length of the text × length of the names), with the memory of one row.
  package static func nearest(to text: String, among names: some Sequence<String>) -> String? {
    let wanted = folded(text)
    var limit = min((wanted.count + 2) / 3, max(wanted.count - 1, 0))
    var best: String?
    var bestDistance = Int.max
    var (extended, begun): (String?, String?)
    for name in names {
      let scalars = folded(name)
      if wanted.count >= 3, scalars.starts(with: wanted), isBetter(name, than: extended) {
        extended = name
      }
      if scalars.count >= max(3, (wanted.count + 1) / 2), wanted.starts(with: scalars),
        begun.map({
          name.utf8.count > $0.utf8.count || name.utf8.count == $0.utf8.count && precedes(name, $0)
        }) ?? true
      {
        begun = name
      }
      guard let distance = distance(wanted, scalars, limit: limit) else { continue }
      guard distance < bestDistance || best.map({ precedes(name, $0) }) ?? true else { continue }
      (best, bestDistance, limit) = (name, distance, distance)
    }
    return bestDistance > 1 ? extended ?? best ?? begun : best
  }

  /// Returns a message such as `unknown policy "thomson"; did you mean "thompson"?`.
  ///
  /// - Parameters:
  ///   - noun: The kind of name that was expected.
  ///   - text: The misspelled name.
  ///   - names: The existing names.
  /// - Returns: The message, which lists existing names if none is near.
  package static func unknown(
    _ noun: String, _ text: String, among names: [String]
  ) -> String {
    "unknown \(noun) \"\(text)\"" + remedy(for: text, among: names)
  }

  /// Returns the end of a message about a misspelled name: `; did you mean "NAME"?`, or, if no name is near, the first
  /// existing names: `; available: "A", "B" and 3 more`.
  ///
  /// - Parameters:
  ///   - text: The misspelled name.
  ///   - names: The existing names, in the order in which they are listed.
  ///   - lead: The words before the list.
  ///   - most: The maximum number of names in the list.
  /// - Returns: The text, beginning with the semicolon.
  package static func remedy(
    for text: String, among names: [String], lead: String = "available:", most: Int = 20
  ) -> String {
    if let near = nearest(to: text, among: names) { return "; did you mean \"\(near)\"?" }
    let shown = names.prefix(most).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = names.count - most
    return "; \(lead) \(names.isEmpty ? "none" : shown)" + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Returns the number of edits between two lists; nil if it exceeds the limit.
  static func distance(
    _ a: [Unicode.Scalar], _ b: [Unicode.Scalar], limit: Int
  ) -> Int? {
    guard abs(a.count - b.count) <= limit else { return nil }
    var older = [Int](repeating: 0, count: b.count + 1)
    var old = Array(0...b.count)
    var row = old
    for i in a.indices {
      row[0] = i + 1
      var least = row[0]
      for j in b.indices {
        let replaced = old[j] + (a[i] == b[j] ? 0 : 1)
        row[j + 1] = min(replaced, old[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = min(row[j + 1], older[j - 1] + 1)
        }
        least = min(least, row[j + 1])
      }
      // A swap refers to the row before the last, at the cost of one edit.
      guard min(least, (old.min() ?? 0) + 1) <= limit else { return nil }
      (older, old, row) = (old, row, older)
    }
    return old[b.count] <= limit ? old[b.count] : nil
  }

  static func folded(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.map { scalar in
      ("A"..."Z").contains(scalar)
        ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) | 0x20) : scalar
    }
  }

  /// Returns whether a name is a shorter extension of the text than the best one so far.
  private static func isBetter(_ name: String, than other: String?) -> Bool {
    guard let other else { return true }
    let (count, otherCount) = (name.utf8.count, other.utf8.count)
    return count < otherCount || count == otherCount && precedes(name, other)
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}
