import Foundation
import TestSupport
import Testing

@testable import Reports

/// Pages in headless Chromium, with the network off, as `make test-browser` and `make test-long` run them. Playwright and
/// axe-core are in the Python of `make browser-tools`, which is made where PyPI is within reach. They run one at a time,
/// as one of them measures.
@Suite("Pages in a browser", .serialized)
struct BookPageBrowserTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let python =
    folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/.build/report-venv/bin/python"
  private static let areThere =
    (LongTests.areWanted || ProcessInfo.processInfo.environment["BANDOLIER_BROWSER_TESTS"] != nil)
    && FileManager.default.isExecutableFile(atPath: python)

  /// Texts in every place that takes one; two of them unless all are wanted.
  private static let shownTexts = Array(
    [
      "a-very-long-name-without-a-space-that-fits-no-telephone-and-no-column-of-a-table-anywhere",
      "<script>document.title = 'attacked'; alert(1)</script>", "shop", "מבחן \u{202E} 👩‍👩‍👧",
    ].prefix(LongTests.areWanted ? 4 : 2))

  /// Runs the checks of a page; without Chromium they say that they are skipped.
  private func expectFine(_ book: Book, _ options: [String] = []) throws {
    let folder = try TemporaryFolder()
    let page = try folder.write(BookPage(book).html, "report.html")
    let check = Process()
    check.executableURL = URL(fileURLWithPath: Self.python)
    check.arguments = [Self.folder.path + "/Browser/check_pages.py"] + options + [page]
    let output = Pipe()
    check.standardOutput = output
    try check.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    check.waitUntilExit()
    print(said)
    #expect([0, 77].contains(check.terminationStatus), "\(said)")
  }

  @Test(
    "a page works, is accessible, prints, and fits a telephone, whatever its texts",
    .enabled(if: areThere),
    arguments: shownTexts)
  func texts(text: String) throws {
    try expectFine(SampleBook.everywhere(text))
  }

  @Test("a page with many chapters works", .enabled(if: areThere))
  func chapters() throws {
    try expectFine(SampleBook.large(experiments: 7, variants: 2))
  }

  @Test("100 experiments with 10 variants open in less than a second", .enabled(if: areThere))
  func time() throws {
    try expectFine(SampleBook.large(experiments: 100, variants: 10), ["--opening"])
  }
}
