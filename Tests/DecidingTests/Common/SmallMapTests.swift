import Events
import TestSupport
import Testing

@testable import Deciding

@Suite("Small maps")
struct SmallMapTests {
  @Test("a small map is a dictionary", arguments: 0..<300 as Range<UInt64>)
  func twin(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var map = SmallMap<String, [Int]>()
    var twin: [String: [Int]] = [:]
    let limit = 1 + generator.index(24)
    for step in 0..<80 {
      let key = "k\(generator.index(limit))"
      switch generator.index(6) {
      case 0:
        map[key] = nil
        twin[key] = nil
      case 1:
        map[key] = [step]
        twin[key] = [step]
      case 2:
        map[key]?.append(step)
        twin[key]?.append(step)
      default:
        map[key, default: []].append(step)
        twin[key, default: []].append(step)
      }
      #expect(map[key] == twin[key])
      #expect(map.keys.sorted() == twin.keys.sorted())
      #expect(map.isEmpty == twin.isEmpty)
    }
    let shuffled = SmallMap(twin.shuffled(using: &generator).map { ($0.key, $0.value) })
    #expect(map == shuffled)
    let json = try JSONValue(encoding: map)
    #expect(json == (try JSONValue(encoding: twin)))
    #expect(try json.decoded(as: SmallMap<String, [Int]>.self) == map)
    map.modifyValues { $0.append(-1) }
    #expect(map.entries.allSatisfy { $0.value == (twin[$0.key] ?? []) + [-1] })
    if !twin.isEmpty { #expect(map != shuffled) }
  }

  private final class Box: Sendable {}

  /// A value that knows whether there is a copy of it.
  private struct Single {
    private var box = Box()

    mutating func isAlone() -> Bool { isKnownUniquelyReferenced(&box) }
  }

  @Test("a value is changed in its place, not copied", arguments: [1, 20])
  func inPlace(count: Int) {
    var map = SmallMap<String, Single>()
    for number in 0..<count { map["k\(number)"] = Single() }
    let throughOptional = map["k0"]?.isAlone()
    let throughDefault = map["k0", default: Single()].isAlone()
    #expect(throughOptional == true)
    #expect(throughDefault)
  }
}
