import Foundation
import TestSupport
import Testing

/// The articles show code that is compiled and run: every Swift block of an article stands, line for line, in
/// the test file of the same name.
@Suite("Articles")
struct ArticleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let sources =
    folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources")

  /// The articles in the catalogues of the five systems, by name.
  private static func articles() throws -> [String: URL] {
    var articles: [String: URL] = [:]
    for system in ["Agents", "Config", "Experiments", "Rollouts", "Studies"] {
      let catalogue = sources.appendingPathComponent("Deciding\(system)/Deciding\(system).docc")
      for name in try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
      where name.hasPrefix("ComingFrom") && name.hasSuffix(".md") {
        articles[String(name.dropLast(3))] = catalogue.appendingPathComponent(name)
      }
    }
    return articles
  }

  @Test("there is an article for the users of each of the five systems")
  func complete() throws {
    let names = try Self.articles().keys
    for system in ["Conductrics", "Kameleoon", "RolloutManager", "MSActiveConfig", "Beauchamp"] {
      #expect(names.contains("ComingFrom" + system))
    }
  }

  @Test("every Swift block of an article is compiled and run by a test")
  func compiled() throws {
    for (name, article) in try Self.articles() {
      let text = try String(contentsOf: article, encoding: .utf8)
      let code = try String(
        contentsOf: Self.folder.appendingPathComponent(name + ".swift"), encoding: .utf8)
      let shown = Self.trimmed(code.components(separatedBy: "\n"))
      let blocks = codeBlocks(text, "swift")
      #expect(blocks.count >= 3, "\(name)")
      for block in blocks {
        #expect(
          shown.contains(Self.trimmed(block)), "\(name).md: \(block.first ?? "an empty block")")
      }
      #expect(code.contains("@Test"), "\(name)")
    }
  }

  /// Lines without indentation, and without empty ones.
  private static func trimmed(_ lines: [String]) -> String {
    let trimmed = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    return "\n" + trimmed.joined(separator: "\n") + "\n"
  }
}
