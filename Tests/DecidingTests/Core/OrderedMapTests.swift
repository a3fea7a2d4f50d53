import Bandits
import Events
import Statistics
import Testing

@testable import DecidingCore

@Suite("A dictionary in insertion order")
struct OrderedMapTests {
  private typealias Map = OrderedMap<UnitID, Int>

  private func map(_ entries: KeyValuePairs<UnitID, Int>) -> Map {
    Map(entries.map { ($0.key, $0.value) })
  }

  @Test("it has the contents of a dictionary", arguments: 0..<20 as Range<UInt64>)
  func twin(seed: UInt64) throws {
    var random = Xoshiro256(seed: seed)
    // A few keys, more than a few, and several chunks of them.
    let keys = [5, 12, 400][Int.random(in: 0..<3, using: &random)]
    var (map, twin) = (Map(), [UnitID: Int]())
    var order: [UnitID] = []
    for step in 0..<2_000 {
      let key = UnitID("u-\(Int.random(in: 0..<keys, using: &random))")
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        map.set(key, to: step)
        twin[key] = step
      case 1:
        map.change(key, orAdd: 7) { $0 += step }
        twin[key, default: 7] += step
      case 2:
        let before = map.change(key) { value in
          defer { value = -step }
          return value
        }
        #expect(before == twin[key], "seed \(seed)")
        if twin[key] != nil { twin[key] = -step }
      case 3 where step % 8 == 0:
        map.remove(key)
        twin[key] = nil
        order.removeAll { $0 == key }
      default:
        #expect(map[key] == twin[key], "seed \(seed)")
        #expect(map.read(key) { $0 + 1 } == twin[key].map { $0 + 1 }, "seed \(seed)")
      }
      if twin[key] != nil, !order.contains(key) { order.append(key) }
      #expect(map.count == twin.count && map.isEmpty == twin.isEmpty, "seed \(seed)")
    }
    #expect(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) }) == twin)
    #expect(map.keys == order, "seed \(seed)")
    map.changeAll { $0 += 1 }
    #expect(map.allSatisfy { $0.value == (twin[$0.key] ?? 0) + 1 }, "seed \(seed)")
    map.truncate(to: 3)
    #expect(map.keys == Array(order.prefix(3)), "seed \(seed)")
  }

  @Test("a copy stays as it was", arguments: [3, 8, 9, 64, 65, 500])
  func copies(count: Int) {
    var map = Map()
    for number in 0..<count { map.set(UnitID("\(number)"), to: number) }
    let copy = map
    for number in 0..<count { map.change(UnitID("\(number)")) { $0 = -1 } }
    map.set("more", to: 1)
    #expect(copy.map(\.value) == Array(0..<count))
    #expect(copy.count == count && map.count == count + 1 && copy["more"] == nil)
  }

  @Test("entries come in the order in which they were added, which equality does not ask")
  func order() {
    let numbers = 0..<100
    var (up, down) = (Map(), Map())
    for number in numbers { up.set(UnitID("\(number)"), to: number) }
    for number in numbers.reversed() { down.set(UnitID("\(number)"), to: number) }
    #expect(up.map(\.value) == Array(numbers) && down.map(\.value) == numbers.reversed())
    #expect(up == down && up.hashValue == down.hashValue)
    down.set("5", to: 0)
    #expect(up != down)
    #expect(map(["a": 1]) != map(["b": 1]) && map(["a": 1]) != map(["a": 1, "b": 2]))
  }

  @Test("of two entries with the same key the first one stays")
  func repeatedKey() {
    #expect(map(["a": 1, "b": 2, "a": 3]) == map(["b": 2, "a": 1]))
  }

  @Test("in JSON it is what a dictionary is")
  func json() throws {
    let map = map(["b": 2, "a": 1])
    let json = try JSONValue(encoding: map)
    #expect(json.description == #"{"a":1,"b":2}"#)
    #expect(try json.decoded(as: Map.self) == map)
  }

  private final class Box: Sendable {}

  /// A value that knows whether there is a copy of it.
  private struct Single {
    private var box = Box()

    mutating func isAlone() -> Bool { isKnownUniquelyReferenced(&box) }
  }

  @Test("a value is changed in its place, not copied", arguments: [1, 20])
  func inPlace(count: Int) {
    var map = OrderedMap<String, Single>()
    for number in 0..<count { map.set("k\(number)", to: Single()) }
    #expect(map.change("k0") { $0.isAlone() } == true)
    #expect(map.change("k0", orAdd: Single()) { $0.isAlone() })
    var (all, alone) = (0, 0)
    map.changeAll { single in
      all += 1
      if single.isAlone() { alone += 1 }
    }
    #expect(all == count && alone == count)
  }
}
