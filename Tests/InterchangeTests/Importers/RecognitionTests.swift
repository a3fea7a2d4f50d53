import Events
import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Recognition of vendors' formats")
struct RecognitionTests {
  /// A record of each kind, with the name of its format.
  static let samples: [(format: String, text: String)] = [
    (
      "growthbook",
      "id,timestamp,experiment_id,variation_id,note\n1,2026-01-05,e,0,\"{\"\"a\"\":[{\"\"b\"\":1}]}\"\n"
    ),
    (
      "growthbook",
      #"{"device_id":"d","timestamp":"2026-01-05","experiment_id":"e","variation_id":1}"#
    ), ("growthbook-facts", "timestamp,user_id,value\n2026-01-05,u,1\n"),
    (
      "eppo",
      #"{"experiment":"e","subject":"s","variation":"v","timestamp":"2026-01-05","subjectAttributes":{"a":1}}"#
    ),
    (
      "eppo",
      #"{"bandit_key":"b","subject":"s","action":"a","action_probability":0.5,"timestamp":"2026-01-05","action_numeric_attributes":{"x":1}}"#
    ),
    (
      "optimizely",
      #"{"uuid":"1","timestamp":1767607200000,"visitor_id":"v","experiment_id":"e","variation_id":"a","attributes":[{"id":"1","name":"n","value":"x"}]}"#
    ),
    (
      "optimizely",
      #"{"uuid":"1","timestamp":1767607200000,"visitor_id":"v","entity_id":"e","revenue":5,"experiments":[]}"#
    ),
    (
      "launchdarkly",
      #"{"version":2,"event":{"kind":"feature","contextKeys":{"user":"u"},"creationDate":1767607200000,"key":"f","variation":0,"reason":{"kind":"OFF"}}}"#
    ),
    (
      "launchdarkly",
      "event_id,flag_key,context_key,context_kind,variation_id,received_time\nx,f,u,user,v,2026-01-05\n"
    ),
    (
      "otel",
      #"{"resourceLogs":[{"resource":{"attributes":[{"key":"r","value":{"intValue":"1"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1767607200000000000","eventName":"feature_flag.evaluation","attributes":[{"key":"feature_flag.key","value":{"stringValue":"f"}},{"key":"feature_flag.context.id","value":{"stringValue":"u"}},{"key":"feature_flag.result.variant","value":{"stringValue":"a"}}]}]}]}]}"#
    ),
    (
      "otel",
      #"{"timeUnixNano":"1","attributes":{"feature_flag.key":"f","event.name":"feature_flag","feature_flag.context.id":"u","feature_flag.variant":"a"}}"#
    ),
    (
      "go-feature-flag",
      #"{"kind":"feature","contextKind":"user","userKey":"u","creationDate":1767607200,"key":"f","variation":"a","value":1,"default":false,"source":"SERVER"}"#
    ), ("go-feature-flag", "feature;user;u;1767607200;f;a;1;false;SERVER\n"),
    (
      "unleash",
      #"{"eventType":"getVariant","eventId":"i","time":1767607200,"context":{"userId":"u"},"enabled":true,"featureName":"f","variant":"a"}"#
    ), ("unleash", #"{"appName":"a","bucket":{"toggles":{"f":{"yes":1}}}}"#),
    ("yahoo-r6a", "1241160900 1 1 |user 2:1 3:0 4:0 5:0 6:0 1:1 |1 2:1 3:0 4:0 5:0 6:0 1:1\n"),
    ("yahoo-r6b", "1317513291 id-1 1 |user 1 9 |id-1 |id-2\n"),
    ("criteo", "example 1: h 1 0.5 1 2 1:300\n1 exid:1 11:1 11:1\n0 exid:1 11:2\n"),
  ]

  @Test("each format is recognized, and no other one", arguments: samples)
  func recognized(format: String, text: String) throws {
    let folder = try TemporaryFolder()
    var source = try ByteSource(path: folder.write(text, "log"))
    #expect(try FormatCatalog.standard.recognize(&source).type.info.name == format)
    let imported = try Imported(text)
    #expect(imported.rejected.isEmpty)
    #expect(imported.events.isEmpty == !imported.ignored.isEmpty)
  }

  @Test("damaged records are read, counted, rejected, or end the import", arguments: samples)
  func damaged(format: String, text: String) throws {
    let folder = try TemporaryFolder()
    let bytes = Array(text.utf8)
    let replacements = Array("\",{}[]:;|\n 0x-.\u{1}e".utf8) + [0xFF]
    var generator = SeededGenerator(seed: 20)
    let importer = try Importer(.init(parsing: format))
    for _ in 0..<60 {
      var copy = bytes + bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<copy.count, using: &generator)
        copy[place] = replacements.randomElement(using: &generator) ?? 0
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        copy.removeLast(Int.random(in: 0..<copy.count, using: &generator))
      }
      let path = try folder.write(copy, "log")
      var record = ImportedRecord()
      do throws(ImportError) {
        var source = try importer.open(path)
        reading: while true {
          switch try source.next(&record) {
          case .record:
            for event in record.events.prefix(record.count) {
              #expect(throws: Never.self) { try event.validate() }
            }
          case .end: break reading
          case .ignored, .rejected: break
          }
        }
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
