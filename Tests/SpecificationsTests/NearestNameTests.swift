import Statistics
import Testing

@testable import Specifications

@Suite("Nearest names")
struct NearestNameTests {
  /// The optimal string alignment distance by its definition, without a limit.
  private func naive(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count {
      for j in 0...b.count {
        guard i > 0, j > 0 else {
          table[i][j] = i + j
          continue
        }
        table[i][j] = min(
          table[i - 1][j] + 1, table[i][j - 1] + 1,
          table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
        }
      }
    }
    return table[a.count][b.count]
  }

  private func text(_ random: inout Xoshiro256) -> String {
    let alphabet: [Character] = ["a", "b", "c", "A", "é", "-"]
    let count = Int(random.next() % 9)
    return String((0..<count).map { _ in alphabet[Int(random.next() % 6)] })
  }

  @Test("the distance is that of the definition, or more than the limit", arguments: [1, 2, 3])
  func twin(seed: UInt64) {
    var random = Xoshiro256(seed: seed)
    for _ in 0..<3_000 {
      let (a, b) = (NearestName.folded(text(&random)), NearestName.folded(text(&random)))
      let distance = naive(a, b)
      for limit in 0...6 {
        let found = NearestName.distance(a, b, limit: limit)
        #expect(found == (distance <= limit ? distance : nil), "\(a) \(b) \(limit) seed \(seed)")
      }
    }
  }

  @Test(
    "the nearest name is the first by bytes of those with the least distance, or an extension, in any order"
  )
  func order() {
    var random = Xoshiro256(seed: 7)
    for _ in 0..<500 {
      let wanted = text(&random)
      let names = (0..<8).map { _ in text(&random) }
      let scalars = NearestName.folded(wanted)
      let limit = min((scalars.count + 2) / 3, max(scalars.count - 1, 0))
      let ranked = names.map { (naive(scalars, NearestName.folded($0)), $0) }
        .filter { $0.0 <= limit }
        .sorted {
          $0.0 != $1.0 ? $0.0 < $1.0 : $0.1.utf8.lexicographicallyPrecedes($1.1.utf8)
        }
      let found = NearestName.nearest(to: wanted, among: names)
      let isExtended =
        scalars.count >= 3
        && names.contains { NearestName.folded($0).starts(with: scalars) }
      if let first = ranked.first, first.0 <= 1 || !isExtended {
        #expect(found == first.1, "\(wanted) among \(names)")
      } else {
        let pair = found.map { [$0.lowercased(), wanted.lowercased()] } ?? ["", ""]
        #expect(pair[0].hasPrefix(pair[1]) || pair[1].hasPrefix(pair[0]), "\(wanted) among \(names)")
      }
      #expect(found == NearestName.nearest(to: wanted, among: names.reversed()))
    }
  }

  @Test(
    "misspelled names find the intended ones",
    arguments: [
      ("context.contry", "context.country"), ("pricng", "pricing"), ("gaol", "goal"),
      ("bonf", "bonferroni"), ("PRICING", "pricing"), ("checkout", "checkout-button"),
      ("welsh", "welch"), ("pricing_tests", "pricing"),
    ])
  func meant(written: String, meant: String) {
    let names = [
      "context.country", "context.device", "pricing", "goal", "checkout-button", "welch", "none",
      "bonferroni",
    ]
    #expect(NearestName.nearest(to: written, among: names) == meant)
    #expect(
      NearestName.unknown("name", written, among: names)
        == "unknown name \"\(written)\"; did you mean \"\(meant)\"?")
  }

  @Test("a list of names is bounded")
  func bounded() {
    let names = (10..<1_000).map { "name \($0)" }
    let remedy = NearestName.remedy(for: "zebra", among: names)
    #expect(remedy.hasSuffix(#""name 29" and 970 more"#))
  }

  @Test("dissimilar names find nothing", arguments: ["", "x", "zebra", "co"])
  func nothing(written: String) {
    let names = ["country", "pricing", "a", ""]
    #expect(NearestName.nearest(to: written, among: written.isEmpty ? ["a"] : names) == nil)
    #expect(
      NearestName.unknown("color", "zebra", among: ["a", "b"])
        == #"unknown color "zebra"; available: "a", "b""#)
    #expect(NearestName.remedy(for: "zebra", among: [], lead: "it takes") == "; it takes none")
  }
}
