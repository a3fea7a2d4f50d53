import Events
import Foundation
import TestSupport
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test("values are compared semantically")
  func equality() {
    #expect(JSONValue.integer(1) == .number(1))
    #expect(JSONValue.integer(.max) != .number(0x1p63))
    #expect(JSONValue.boolean(true) != .integer(1))
    #expect(JSONValue.string("\u{e9}") != .string("\u{65}\u{301}"))
    #expect(JSONValue.object(["a": 1, "b": 2]) == .object(["b": 2.0, "a": 1.0]))
    #expect(Set([JSONValue.integer(3), .number(3), ["x": 3], ["x": 3.0]]).count == 2)
  }

  @Test("of members with the same name the later one is kept, and names are compared by bytes")
  func objects() {
    var object = JSONObject([
      .init(name: "b", value: 1), .init(name: "a", value: 2), .init(name: "b", value: 3),
      .init(name: "\u{e9}", value: 4), .init(name: "\u{65}\u{301}", value: 5),
    ])
    #expect(object.names == ["a", "b", "\u{65}\u{301}", "\u{e9}"])
    #expect(object["b"] == 3)
    #expect(object["\u{e9}"] == 4)
    object["c"] = 9
    object["a"] = nil
    object["zz"] = nil
    #expect(object.names == ["b", "c", "\u{65}\u{301}", "\u{e9}"])
    #expect(object["a"] == nil)
  }

  @Test("an object behaves like a dictionary of its members", arguments: 0..<200 as Range<UInt64>)
  func twin(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var object = JSONObject()
    var twin: [String: JSONValue] = [:]
    for step in 0..<40 {
      let name = "n\(generator.index(12))"
      let value: JSONValue? = generator.chance(0.3) ? nil : .integer(Int64(step))
      object[name] = value
      twin[name] = value
      #expect(object.names == twin.keys.sorted())
      #expect(object["n3"] == twin["n3"])
    }
    #expect(object == JSONObject(twin.map { .init(name: $0.key, value: $0.value) }))
  }

  private struct Inner: Codable, Equatable {
    var text: String
    var maybe: Int?
    var list: [Double]
  }

  private enum Choice: Codable, Equatable {
    case none
    case some(Int, label: String)
  }

  private struct Outer: Codable, Equatable {
    var inner: [ExperimentID: [UnitID: Inner]]
    var choice: [Choice]
    var set: Set<Int>
    var value: JSONValue
    var attribute: [AttributeValue]
    var time: Timestamp
    var small: UInt8
    var optional: [Int?]
  }

  private static let outer = Outer(
    inner: ["b": ["u": Inner(text: "x", maybe: nil, list: [1, 2.5])], "a": [:]],
    choice: [.none, .some(3, label: "l")], set: [4], value: ["k": [1, .null, 2.5]],
    attribute: [.number(1), .text("t"), .flag(true), .integer(1 << 60)],
    time: Timestamp(microseconds: -5), small: 200, optional: [1, nil])

  @Test("a Codable value round-trips, and names become the keys of objects")
  func codable() throws {
    let json = try JSONValue(encoding: Self.outer)
    #expect(try json.decoded(as: Outer.self) == Self.outer)
    #expect(json["inner"]?["b"]?["u"]?["list"] == [1, 2.5])
    #expect(json["time"] == -5)
    let again = try JSONValue(parsing: json.description)
    #expect(try again.decoded(as: Outer.self) == Self.outer)
    #expect(try JSONDecoder().decode(Outer.self, from: Data(json.description.utf8)) == Self.outer)
  }

  @Test(
    "mismatches are refused with their path",
    arguments: [
      ("{\"text\":1,\"list\":[]}", "text must be a text, not a number"),
      ("{\"text\":\"\",\"list\":[1,\"x\"]}", "list.1 must be a number, not a text"),
      ("{\"text\":\"\"}", "the root has no \"list\""),
      ("[]", "the root must be an object, not a list"),
      ("{\"text\":\"\",\"list\":{},\"maybe\":1}", "list must be a list, not an object"),
      (
        "{\"text\":\"\",\"list\":[],\"maybe\":1.5}",
        "maybe must be a whole number that fits 64 bits, not a number"
      ),
    ])
  func mismatches(text: String, reason: String) throws {
    let json = try JSONValue(parsing: text)
    do {
      _ = try json.decoded(as: Inner.self)
      Issue.record("\(text) was decoded")
    } catch let error as DecodingError {
      #expect(JSONValue.explanation(of: error) == reason)
    }
  }

  @Test("values that JSON cannot represent are refused")
  func unencodable() {
    #expect(throws: EncodingError.self) { try JSONValue(encoding: [Double.nan]) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: ["a": UInt64.max]) }
    #expect(JSONValue.number(.infinity).description == "null")
  }
}
