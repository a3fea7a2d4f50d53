import Foundation
import Tables
import TestSupport
import Testing

/// The example of the catalogue of `Tables`.
@Suite("Example of Tables")
struct TablesExample {
  @Test("the example runs")
  func example() throws {
    let folder = try TemporaryFolder()
    var table = try Table(
      name: "speeds", title: "Speeds of birds",
      columns: [
        .key("bird", .text, "which bird"), .measure("speed", .decimal, "km/h, level flight"),
      ])
    try table.append(row: [.text("swift"), .decimal(111.6)])
    try table.append(row: [.text("eider"), .decimal(76)])
    table.note("source", .text("radar"))
    let csv = write(table.sorted(), as: .csv)
    try AtomicFile.write(csv, to: folder.path("speeds.csv"))
    let text = try String(contentsOfFile: folder.path("speeds.csv"), encoding: .utf8)
    #expect(text == "bird,speed\neider,76\nswift,111.6\n")
  }
}
