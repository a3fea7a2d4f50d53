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

  @Test("the visible top level is what the design says")
  func topLevel() throws {
    let visible = try Repository.entries().subtracting(["Package.resolved"])
    #expect(
      visible == [
        "Package.swift", "Sources", "Tests", "datasets", "notebooks-out", "Makefile", "README.md",
        "LICENSE",
      ])
  }
}
