import Foundation
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

  /// The Swift blocks of a Markdown text, each as its lines without indentation.
  private static func blocks(_ text: String) -> [[String]] {
    var blocks: [[String]] = []
    var current: [String]?
    for line in text.components(separatedBy: "\n") {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed == "```swift" {
        current = []
      } else if trimmed == "```", let block = current {
        blocks.append(block)
        current = nil
      } else if !trimmed.isEmpty {
        current?.append(trimmed)
      }
    }
    return blocks
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
      let lines = code.components(separatedBy: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      let joined = "\n" + lines.joined(separator: "\n") + "\n"
      let blocks = Self.blocks(text)
      #expect(blocks.count >= 3, "\(name)")
      for block in blocks {
        let wanted = "\n" + block.joined(separator: "\n") + "\n"
        #expect(joined.contains(wanted), "\(name).md: \(block.first ?? "an empty block")")
      }
      #expect(code.contains("@Test"), "\(name)")
    }
  }
}
