/// The first line in which two lists of texts differ in their bytes.
struct Difference: Equatable, CustomStringConvertible {
  let found: String
  let expected: String

  /// Creates the difference; nil if there is none.
  init?(_ found: [String], _ expected: [String]) {
    for (found, expected) in zip(found, expected) where Array(found.utf8) != Array(expected.utf8) {
      let lines = zip(Self.lines(found), Self.lines(expected))
      for (mine, theirs) in lines where !mine.utf8.elementsEqual(theirs.utf8) {
        (self.found, self.expected) = (String(mine), String(theirs))
        return
      }
    }
    guard found.map(\.utf8.count) != expected.map(\.utf8.count) else { return nil }
    (self.found, self.expected) = ("\(found.map(\.utf8.count))", "\(expected.map(\.utf8.count))")
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  var description: String { "\(found) INSTEAD OF \(expected)" }
}
