import Events
import Specifications
import TestSupport
import Testing

@testable import Interchange

/// Rejected records that are imported again, from the file in which they were written.
@Suite("Files of rejects imported again")
struct RejectsAgainTests {
  private struct NoLog: RecordAppender {
    func append(_ record: EventRecord) {}
    func commit() {}
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Imports a text, and returns the content of the file of rejects.
  private func rejects(_ text: String, _ format: String) throws -> String {
    var rejects: [UInt8] = []
    let session = ImportSession(
      filter: DuplicateFilter(directory: folder.path, memoryCapacity: 100), onError: .skip,
      rejects: RejectsWriter { rejects += $0 })
    var source = try Importer(.init(parsing: format)).open(folder.write(text, "log"))
    try session.run(&source, into: NoLog())
    return String(decoding: rejects, as: UTF8.self)
  }

  @Test("events of Vowpal Wabbit stay apart")
  func vowpalWabbit() throws {
    let file = try rejects(
      "shared |a\n1:x:0.5 |b\n\nshared |a\nshared |a\n\n1:0:0.5 |b\n|c\n", "vw")
    let again = try Imported(file, format: "vw")
    #expect(
      again.rejected.map { $0.prefix(24) } == [
        "1: bad event: the label ", "4: bad event: an event h",
      ])
    #expect(again.events.isEmpty)
    let labels = try rejects("shared |a\n0:1:0.5 |b\n\n0:1:0.5 |a\n1:1:0.5 |b\n", "vw")
    #expect(try Imported(labels, format: "vw").rejected.count == 1)
    let corrected = try Imported(file.replacing("1:x:0.5", with: "1:0:0.5"), format: "vw")
    #expect(corrected.events.count == 1 && corrected.rejected.count == 1)
  }

  @Test("an impression of Criteo stays whole, so that its first line can be corrected")
  func criteo() throws {
    let file = try rejects(
      "example 1: h 2 0.5 1 2\n0 exid:1\n0 exid:1\nexample 2: h 0 0.5 1 2\n0 exid:2\n", "criteo")
    let again = try Imported(file, format: "criteo")
    #expect(again.events.isEmpty && again.rejected.count == 2)
    let corrected = try Imported(file.replacing("h 2", with: "h 0"), format: "criteo")
    #expect(corrected.events.count == 1 && corrected.rejected.count == 1)
  }

  @Test("JSON objects over several lines, or with brackets that do not match, are a record each")
  func objects() throws {
    let good = #"{"type":"track","messageId":"m","userId":"u","event":"e","timestamp":1767607200}"#
    let file = try rejects(
      "[\(good),\n{\"type\":\"track\",\"a\":nul},\n{\"type\":\n\"track\",\n\"b\":1}, x, \(good)]",
      "segment")
    let again = try Imported(file, format: "segment")
    #expect(
      again.rejected == [
        "1: malformed JSON: expected a JSON value (text in double quotes, number, true, false, null, list or object), found 'n'",
        #"2: bad time: there is no "timestamp""#,
        "5: malformed JSON: expected a JSON value (text in double quotes, number, true, false, null, list or object), found 'x'",
      ])
    let lines = try rejects("\(good)\n{\"type\":\"tra\n\(good)\n{\"type\":\"track\"}\n", "segment")
    let others = try Imported(lines, format: "segment")
    #expect(others.events.isEmpty && others.rejected.count == 2)
  }

  @Test("log records of OpenTelemetry are records of their own")
  func logRecords() throws {
    let file = try rejects(
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[1,{"eventName":"feature_flag","attributes":{"feature_flag.key":"f","feature_flag.context.id":"u","feature_flag.variant":"a"}}]}]}]}"#,
      "otel")
    let again = try Imported(file, format: "otel")
    #expect(again.events.isEmpty && again.rejected.count == 2)
  }
}
