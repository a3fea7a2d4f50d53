import TestSupport
import Testing

@testable import EventLog

@Suite("Names of recent rows")
struct RecentNamesTests {
  /// Names that differ in one byte, in their length, or not at all.
  static func name(_ random: inout SeededGenerator) -> [UInt8] {
    let length = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48][random.index(15)]
    var name = [UInt8](repeating: 97, count: length)
    if length > 0, random.chance(0.6) { name[random.index(length)] = random.chance(0.5) ? 98 : 0 }
    return name
  }

  @Test("the words of two short names are the same when the names are", arguments: 0..<50)
  func words(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let (a, b) = (Self.name(&random), Self.name(&random))
      guard let first = NameWords(a.span), let second = NameWords(b.span) else {
        #expect(max(a.count, b.count) > NameWords.longestName)
        continue
      }
      #expect((first == second) == (a == b), "seed \(seed), \(a) and \(b)")
      #expect(first != .none)
    }
  }

  @Test("names get the codes that a dictionary gives them", arguments: 0..<50)
  func codes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var names = NameRegister(units: UnitRegister(path: "/tmp"))
    var twins: [Vocabulary: [[UInt8]: UInt32]] = [:]
    for _ in 0..<2_000 {
      let vocabulary = [Vocabulary.goals, .values, .slots][random.index(3)]
      let name = random.chance(0.3) ? Array("n\(random.index(300))".utf8) : Self.name(&random)
      let count = UInt32(twins[vocabulary]?.count ?? 0)
      let expected = twins[vocabulary]?[name] ?? count + vocabulary.firstCode
      twins[vocabulary, default: [:]][name] = expected
      let code =
        vocabulary == .values
        ? names.codeOrLiteral(of: name.span, in: vocabulary)
        : names.code(of: name.span, in: vocabulary)
      #expect(code == expected, "seed \(seed), \(name)")
    }
  }
}
