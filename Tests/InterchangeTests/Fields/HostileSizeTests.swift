import Events
import TestSupport
import Testing

@testable import Interchange

/// Records of which a part is repeated so often that their events would not fit in memory.
@Suite("Records whose events would fill the memory", .serialized)
struct HostileSizeTests {
  private static let long = String(repeating: "n", count: 1 << 20)
  private static let many = (0..<400).map { #""a\#($0)":1"# }.joined(separator: ",")

  private func reason(_ text: String, _ format: String) throws -> String? {
    let imported = try Imported(text, format: format)
    #expect(imported.events.isEmpty)
    return imported.rejected.first
  }

  @Test("a long unit in a data point for each of many traits")
  func traits() throws {
    let reason = try reason(
      #"{"type":"identify","messageId":"m","userId":"\#(Self.long)","timestamp":1767607200,"traits":{\#(Self.many)}}"#,
      "segment")
    #expect(reason?.hasPrefix("1: bad event: its events take more than 256 MiB") == true)
  }

  @Test("a long property in a decision for each of many flags")
  func assignments() throws {
    let flags = (0..<400).map { #""f\#($0).variant":"a""# }.joined(separator: ",")
    let reason = try reason(
      #"{"event_type":"[Experiment] Assignment","user_id":"u","event_time":"2026-01-05","event_properties":{"\#(Self.long)":1,\#(flags)}}"#,
      "amplitude")
    #expect(reason?.hasPrefix("1: bad event: its events take more than 256 MiB") == true)
  }

  @Test("a long namespace of many features", arguments: ["dsjson", "vw"])
  func namespaces(format: String) throws {
    let features = (0..<400).map { "a\($0)" }.joined(separator: " ")
    let text =
      format == "vw"
      ? "shared |\(Self.long) \(features)\n0:1:0.5 |a\n"
      : #"{"EventId":"e","a":[1],"c":{"\#(Self.long)":{\#(Self.many)},"_multi":[{}]}}"#
    let reason = try reason(text, format)
    #expect(reason?.hasPrefix("1: bad event: the names of ") == true)
    #expect(reason?.contains("take more than 256 MiB") == true)
  }

  @Test("a long context of each of many slots")
  func slots() throws {
    let names = (0..<20).map { #""a\#($0)":1"# }.joined(separator: ",")
    let outcomes = Array(repeating: #"{"_a":0}"#, count: 40).joined(separator: ",")
    let reason = try reason(
      #"{"EventId":"e","c":{"\#(Self.long)":{\#(names)},"_multi":[{}]},"_outcomes":[\#(outcomes)]}"#,
      "dsjson")
    #expect(reason?.hasPrefix("1: bad event: its events take more than 256 MiB") == true)
  }
}
