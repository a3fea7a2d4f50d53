import Foundation
import TestSupport
import Testing

@testable import Events

@Suite("Deeply nested JSON values")
struct DeepJSONTests {
  private static let depth = 300_000

  /// Lists and objects in turn around a value.
  private func nested(_ core: JSONValue, _ depth: Int = Self.depth) -> JSONValue {
    (0..<depth).reduce(core) { value, level in
      level % 2 == 0 ? .array([value]) : .object(["k": value])
    }
  }

  @Test("comparing, hashing, writing, copying and deallocating take no more stack")
  func deep() {
    var (one, other) = (nested(1), nested(1.0))
    #expect(one.depth == Self.depth && one == other && one.hashValue == other.hashValue)
    #expect(one != nested(2) && one != nested(1, Self.depth + 2))
    #expect(one.description.utf8.count == Self.depth / 2 * (2 + #"{"k":}"#.utf8.count) + 1)
    let shared = one
    one = .null
    #expect(shared == other)
    other = .array([shared, shared, other])
    other = .null
    #expect(shared.depth == Self.depth)
  }

  @Test("values too deep to be read back are refused by encoders, with their location")
  func refused() throws {
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(nested(1)) }
    #expect(nested(1).firstFlaw()?.path.count == 64)
    #expect(nested(1, 64).firstFlaw() == nil && nested(1, 65).firstFlaw() != nil)
    #expect(try JSONValue(parsing: nested(1, 64).description) == nested(1, 64))
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: nested(1, 65).description) }
    let value: JSONValue = ["a": [1, .number(.infinity)]]
    #expect(value.firstFlaw() == JSONIssue(path: ["a", "1"], expected: "a finite number"))
    #expect(value.description == #"{"a":[1,null]}"# && value.jsonText.text == #"{"a":[1,inf]}"#)
  }

  @Test("the depth is correct, whatever is set and removed", arguments: 0..<40)
  func depths(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var object = JSONObject()
    var twin: [TextKey: JSONValue] = [:]
    for _ in 0..<60 {
      let name = "n\(generator.index(6))"
      let value = generator.chance(0.3) ? nil : nested(1, generator.index(5))
      let copy = object
      object[name] = value
      #expect(copy.depth == 1 + (twin.values.map(\.depth).max() ?? 0), "seed \(seed)")
      twin[TextKey(name)] = value
      #expect(object.depth == 1 + (twin.values.map(\.depth).max() ?? 0), "seed \(seed)")
      #expect(object.count == twin.count && object.isEmpty == twin.isEmpty, "seed \(seed)")
    }
  }
}
