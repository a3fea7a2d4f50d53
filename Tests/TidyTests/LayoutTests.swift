import Foundation
import Testing

/// The size of files, and what stands at the top level.
@Suite("Layout of the repository")
struct LayoutTests {
  @Test("no file is too long to be read in one go", arguments: ["Sources", "Tests"])
  func lengths(folder: String) throws {
    for source in try SourceFile.all(in: folder) {
      #expect(source.lines.count <= 500, "\(source.path) has \(source.lines.count) lines")
    }
  }

  @Test("no line is longer than the formatter's limit, except rows of tables and texts in other languages")
  func lineLengths() throws {
    let limit = 120
    #expect(try Repository.text(".swift-format").contains("\"lineLength\": \(limit)"))
    for source in try SourceFile.all(in: "Sources") {
      var isInText = false
      for (number, line) in source.lines.enumerated() {
        if line.components(separatedBy: "\"\"\"").count == 2 { isInText.toggle() }
        let isRow = line.drop { $0 == " " }.hasPrefix("/// |")
        #expect(
          line.count <= limit || isInText || isRow,
          "\(source.path):\(number + 1) has \(line.count) characters")
      }
    }
  }

  @Test("the visible top level is what the design says")
  func topLevel() throws {
    let visible = try Repository.entries().subtracting(["Package.resolved", "dist"])
    #expect(
      visible == [
        "Package.swift", "Sources", "Tests", "datasets", "notebooks-out", "Makefile", "README.md",
        "LICENSE",
      ])
  }
}
