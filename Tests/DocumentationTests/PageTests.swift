import Foundation
import Reports
import TestSupport
import Testing

/// The pages of the documentation show code that is compiled and run: every Swift block of a page stands, line for
/// line, in a test file of this folder (white space aside). A path that the test makes unique, `folder.path("shop.log")` or
/// `dataset("storefront.log")`, is written `"shop.log"` or `"datasets/storefront.log"` on the page.
@Suite("Pages")
struct PageTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

  /// The catalogues by library.
  private static func catalogues() throws -> [String: URL] {
    let sources = root.appendingPathComponent("Sources")
    var found: [String: URL] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let folder = sources.appendingPathComponent(name).appendingPathComponent(name + ".docc")
      if FileManager.default.fileExists(atPath: folder.path) { found[name] = folder }
    }
    return found
  }

  /// The pages of a catalogue, by name.
  private static func pages(_ catalogue: URL) throws -> [String: String] {
    var pages: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
    where name.hasSuffix(".md") {
      pages[name] = try String(contentsOf: catalogue.appendingPathComponent(name), encoding: .utf8)
    }
    return pages
  }

  private static func readme() throws -> String {
    try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
  }

  /// The Swift blocks of a page, each as its lines but for imports and empty ones.
  private static func blocks(_ text: String) -> [[String]] {
    codeBlocks(text, "swift").map { block in
      block.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }
  }

  /// Code without the white space in which a page and the formatter may differ.
  private static func squeezed(_ lines: [String]) -> String {
    lines.joined().filter { !$0.isWhitespace }
  }

  /// The code of a test file as a page would show it.
  private static func code(_ name: String) throws -> String {
    let text = try String(
      contentsOf: folder.appendingPathComponent(name + ".swift"), encoding: .utf8)
    let shown = text.replacing(/folder\.path\(("[^"]*")\)/) { $0.output.1 }
      .replacing(/dataset\("([^"]*)"\)/) { "\"datasets/\($0.output.1)\"" }
    return squeezed(shown.components(separatedBy: "\n"))
  }

  @Test("every public library has a catalogue, an example, and a page on how it works inside")
  func complete() throws {
    let package = try String(
      contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let libraries = package.matches(of: /\.library\(name: "([A-Za-z]+)"/).map {
      String($0.output.1)
    }
    #expect(libraries.count > 10)
    let catalogues = try Self.catalogues()
    for library in libraries {
      let catalogue = try #require(catalogues[library], "\(library) has no catalogue")
      let pages = try Self.pages(catalogue)
      let landing = try #require(pages[library + ".md"], "\(library)")
      #expect(landing.hasPrefix("# ``\(library)``\n"), "\(library)")
      #expect(!Self.blocks(landing).isEmpty, "\(library) has no example")
      #expect(pages["HowItWorksInside.md"] != nil, "\(library)")
    }
  }

  @Test("every example of a page is compiled and run by a test")
  func compiled() throws {
    var examples: [(page: String, file: String, text: String)] = [
      ("README.md", "ReadmeExample", try Self.readme())
    ]
    for (library, catalogue) in try Self.catalogues() {
      for (name, text) in try Self.pages(catalogue) where !name.hasPrefix("ComingFrom") {
        examples.append(("\(library)/\(name)", library + "Example", text))
      }
    }
    for example in examples {
      for block in Self.blocks(example.text) {
        let code = try Self.code(example.file)
        #expect(
          code.contains(Self.squeezed(block)), "\(example.page): \(block.first ?? "an empty block")"
        )
        #expect(code.contains("@Test("), "\(example.file)")
      }
    }
  }

  @Test("every source file and type that a page names exists")
  func names() throws {
    let sources = try Self.sources()
    var (paths, types) = (0, 0)
    for (library, catalogue) in try Self.catalogues() {
      for (name, text) in try Self.pages(catalogue) where !name.hasPrefix("ComingFrom") {
        for match in text.matches(of: /`((?:Sources|Tests)\/[^`\s]+)`/) {
          let path = String(match.output.1)
          paths += 1
          #expect(
            FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(path).path),
            "\(library)/\(name) names \(path)")
        }
        // `Type` (`Sources/.../File.swift`): the file declares or extends the type.
        for match in text.matches(
          of: /`([A-Z][A-Za-z0-9]+)(?:\.[a-z][^`]*)?`+\s+\(`(Sources\/[^`]+\.swift)`/)
        {
          let (type, path) = (String(match.output.1), String(match.output.2))
          let code = sources[path] ?? ""
          types += 1
          #expect(
            code.contains(
              try Regex(#"(?:struct|class|enum|protocol|extension|func) "# + type + #"\b"#)),
            "\(library)/\(name): \(path) has no \(type)")
        }
      }
    }
    #expect(
      paths > 100 && types > 60, "\(paths) paths, \(types) types: pages are written otherwise")
  }

  @Test("the page on the replay engine has a line for every type of its folder")
  func engine() throws {
    let page = try Self.pages(try #require(try Self.catalogues()["Replay"]))["HowItWorksInside.md"]
    let listed = (page ?? "").matches(of: /\n\| `+([A-Za-z]+)`+ \| `([A-Za-z+]+\.swift)` \|/).map {
      "\($0.output.1) in \($0.output.2)"
    }
    let units = "Sources/Replay/Units/"
    var declared: [String] = []
    for (path, code) in try Self.sources() where path.hasPrefix(units) {
      let types = code.matches(
        of: /\n(?:(?:public|package|final) )*(?:struct|class|enum|protocol) ([A-Z][A-Za-z]+)/)
      let name = path.split(separator: "/").last ?? ""
      declared += types.map { "\($0.output.1) in \(name)" }
    }
    #expect(declared.count > 20)
    #expect(listed.sorted() == declared.sorted())
  }

  private static func sources() throws -> [String: String] {
    let names = FileManager.default.enumerator(atPath: root.path + "/Sources")?.allObjects ?? []
    var sources: [String: String] = [:]
    for case let name as String in names where name.hasSuffix(".swift") {
      let path = "Sources/" + name
      sources[path] = try String(
        contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
    return sources
  }

  @Test("the README is short, and its links lead somewhere")
  func readme() throws {
    let readme = try Self.readme()
    #expect(readme.utf8.count <= 8_192, "\(readme.utf8.count) bytes")
    let links = readme.matches(of: /\]\(([^)#]+)\)/).map { String($0.output.1) }
    #expect(links.count > 15)
    for link in links where !link.contains("://") {
      #expect(
        FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(link).path),
        "\(link)")
    }
    let longest = Self.blocks(readme).map(\.count).max() ?? 0
    #expect((10...20).contains(longest), "the example has \(longest) lines")
  }

  @Test(
    "every page of a catalogue is linked from its first page, and every link between pages resolves"
  )
  func links() throws {
    for (library, catalogue) in try Self.catalogues() {
      let pages = try Self.pages(catalogue)
      let landing = pages[library + ".md"] ?? ""
      for name in pages.keys where name != library + ".md" {
        #expect(landing.contains("<doc:\(name.dropLast(3))>"), "\(library)/\(name)")
      }
      for (name, text) in pages {
        for match in text.matches(of: /<doc:([A-Za-z]+)>/) {
          #expect(pages["\(match.output.1).md"] != nil, "\(library)/\(name): \(match.output.1)")
        }
      }
    }
  }

  @Test("the page on reading reports has every report of the list")
  func reports() throws {
    let page = try Self.pages(try #require(try Self.catalogues()["Reports"]))["ReadingReports.md"]
    let table = page?.components(separatedBy: "## The reports\n").last?
      .components(separatedBy: "```").first
    let names = (table ?? "").matches(of: /\n\| `bandolier (?:report )?([a-z_]+)` \|/).map {
      String($0.output.1)
    }
    #expect(names.sorted() == ReportCatalog.standard.all.map { $0.name }.sorted())
  }

  @Test("the page on reading reports has the keys of a metric, as they are explained in help")
  func metricKeys() throws {
    let page = try Self.pages(try #require(try Self.catalogues()["Reports"]))["ReadingReports.md"]
    let rows = MetricFile.keys.map { "| `\($0.name)` | \($0.meaning) |" }
    #expect(page?.contains(rows.joined(separator: "\n")) == true)
  }
}
