import TestSupport
import Testing

@testable import Events

@Suite("Events that cannot be read back")
struct HostileEventTests {
  @Test("are refused, and all others round-trip through JSON Lines", arguments: 0..<60)
  func agreement(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var taken = 0
    for _ in 0..<200 {
      let event = HostileEvents.event(using: &generator)
      guard let line = try? event.jsonLine else {
        #expect(HostileEvents.isHostile(event), "refused \(event), seed \(seed)")
        continue
      }
      taken += 1
      let back = try Event(jsonLine: line)
      #expect(try back.jsonLine == line, "seed \(seed)")
      #expect(HostileEvents.normalized(back) == HostileEvents.normalized(event), "seed \(seed)")
      #expect(!HostileEvents.isHostile(event), "taken \(line), seed \(seed)")
    }
    #expect(taken > 20)
  }

  @Test("a record is validated like the line that it would become", arguments: 0..<40)
  func records(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var (decoder, record) = (JSONLinesDecoder(), EventRecord())
    var (taken, refused) = (0, 0)
    for _ in 0..<200 {
      guard (try? record.load(HostileEvents.event(using: &generator))) != nil else { continue }
      HostileEvents.spoil(&record, using: &generator)
      guard (try? record.validate()) != nil else {
        refused += 1
        continue
      }
      taken += 1
      var line: [UInt8] = []
      JSONLinesEncoder.append(record, to: &line)
      var back = EventRecord()
      try decoder.decode(line.span, into: &back)
      #expect(
        HostileEvents.normalized(try Event(back)) == HostileEvents.normalized(try Event(record)))
    }
    #expect(taken > 5 && refused > 5)
  }

  @Test(
    "are reported with what is wrong",
    arguments: [
      (#"{"a":inf}"#, #"byte 5: expected a JSON value"#), ("{} {}", "nothing more"),
      (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), "64 deep"),
      ("{\"a\":\"\n\"}", "control character"), ("", "expected a JSON value"),
    ])
  func configurations(text: String, reason: String) {
    let event = Event(
      time: Timestamp(microseconds: 0), unit: "",
      payload: .configurationApplied(
        ConfigurationApplied(system: "s", configuration: JSONText(validated: text))))
    #expect {
      _ = try event.jsonLine
    } throws: {
      "\($0)".contains(reason) && "\($0)".contains("\"configuration\"")
    }
  }

  @Test(
    "unknown fields must be members, and not known fields",
    arguments: [
      #""unit":"x""#, #""type":"goal""#, #""goal":"g""#, #""variant":1,"variant":2"#,
      #""\u0075nit":1"#, #""a""#, #""a":1,"#, "a", #""a":NaN"#, #""a":1 "b":2"#, "{}",
    ])
  func unknown(text: String) throws {
    var event = Event(
      time: Timestamp(microseconds: 0), unit: "u", payload: .goal(Goal(experiment: "e", goal: "g")))
    event.unknownFields = JSONMembers(validated: text)
    #expect(throws: EventProblem.self) { try event.jsonLine }
    event.unknownFields = JSONMembers(validated: " \"a\" :\n1 , \"variant\":[2]\r")
    let back = try Event(jsonLine: event.jsonLine)
    #expect(back.unknownFields.text == "\"a\" : 1,\"variant\":[2]")
  }
}
