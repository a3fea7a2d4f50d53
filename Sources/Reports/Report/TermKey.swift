/// A term as it is looked up where none is written just so: without case, the signs between its words and the endings
/// of plurals, so that `Guardrails` finds `guardrail`, and `chance to be best` finds `chance_to_be_best`.
struct TermKey: Hashable {
  private let words: [String]

  init(_ term: String) {
    words = term.lowercased().split { " _-".contains($0) }.map { Self.stem(String($0)) }
  }

  /// Returns what a word and its plural have in common: `unit` of units, `loss` of losses, `entri` of entries.
  private static func stem(_ word: String) -> String {
    guard word.count > 2 else { return word }
    var stem = word[...]
    if stem.hasSuffix("s"), !stem.hasSuffix("ss") { stem.removeLast() }
    if stem.hasSuffix("e") { stem.removeLast() }
    return stem.hasSuffix("y") ? stem.dropLast() + "i" : String(stem)
  }
}
