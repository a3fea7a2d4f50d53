import Testing

/// Nothing in the sources traps on data, escapes the compiler's checks of concurrency, or is left for later.
@Suite("Banned words")
struct BannedWordTests {
  private static let words = [
    "try!", " as! ", "fatalError(", "preconditionFailure(", "assertionFailure(",
    "@unchecked Sendable", "TODO", "FIXME",
  ]

  private static func banned(in line: String) -> [String] { words.filter { line.contains($0) } }

  @Test("no source has a banned word")
  func sources() throws {
    for source in try SourceFile.all(in: "Sources") {
      for (index, line) in source.lines.enumerated() {
        for word in Self.banned(in: line) {
          Issue.record("\(source.path):\(index + 1) has \(word)")
        }
      }
    }
  }

  @Test("each banned word is found as Swift spells it, and what resembles it is not")
  func samples() {
    let found = [
      "let a = try! read()", "  let b = a as! Int", "default: fatalError(\"no such case\")",
      "guard a else { preconditionFailure() }", "assertionFailure(\"never\")",
      "final class Cache: @unchecked Sendable {", "// TODO: read it", "/// FIXME: slow",
    ]
    #expect(found.map { Self.banned(in: $0) } == Self.words.map { [$0] })
    for line in [
      "let a = try? read()", "let b = a as? Int", "precondition(a > 0)", "assert(a > 0)",
      "catch let error as FatalError", "final class Cache: Sendable {", "let todo = [1]",
    ] {
      #expect(Self.banned(in: line) == [], "\(line)")
    }
  }
}
