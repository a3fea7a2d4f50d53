import Interchange
import Platform
import TestSupport
import Testing

@Suite("Files, folders and patterns")
struct InputPathsTests {
  private func expanded(_ arguments: [String], in folder: TemporaryFolder) throws -> [String] {
    try InputPaths.expanded(arguments.map { folder.path($0) }).map {
      String($0.dropFirst(folder.path.count + 1))
    }
  }

  private func makeFolder(_ path: String) {
    // Safety: the path is a terminated copy.
    _ = unsafe mkdir(path, 0o755)
  }

  @Test("a folder stands for its files and those of its folders, in bytewise order")
  func folders() throws {
    let folder = try TemporaryFolder()
    makeFolder(folder.path("in"))
    makeFolder(folder.path("in/b"))
    makeFolder(folder.path("in/empty"))
    for name in ["in/c", "in/a", "in/b/1", "in/.hidden", "in/_SUCCESS", "in/B"] {
      _ = try folder.write("x", name)
    }
    #expect(try expanded(["in"], in: folder) == ["in/B", "in/a", "in/b/1", "in/c"])
    #expect(throws: ImportError.self) { try expanded(["in/empty"], in: folder) }
  }

  @Test("a link to a folder around it is left out, one to another folder is followed")
  func links() throws {
    let folder = try TemporaryFolder()
    for name in ["in", "in/a", "in/b", "other"] { makeFolder(folder.path(name)) }
    _ = try folder.write("x", "in/a/1")
    _ = try folder.write("x", "other/2")
    // Safety: the paths are terminated copies.
    _ = unsafe symlink(folder.path("in"), folder.path("in/a/up"))
    _ = unsafe symlink(folder.path("in"), folder.path("in/b/up"))
    _ = unsafe symlink(folder.path("other"), folder.path("in/b/other"))
    #expect(try expanded(["in"], in: folder) == ["in/a/1", "in/b/other/2"])
  }

  @Test("a pattern stands for what matches, unless a file has exactly that name")
  func patterns() throws {
    let folder = try TemporaryFolder()
    for name in ["b1.csv", "a1.csv", "a2.json", "[x].csv"] { _ = try folder.write("x", name) }
    #expect(try expanded(["?1.csv"], in: folder) == ["a1.csv", "b1.csv"])
    #expect(try expanded(["[ab]*"], in: folder) == ["a1.csv", "a2.json", "b1.csv"])
    #expect(try expanded(["[x].csv"], in: folder) == ["[x].csv"])
    #expect(throws: ImportError.self) { try expanded(["*.parquet"], in: folder) }
    #expect(try InputPaths.expanded(["-", "missing"]) == ["-", "missing"])
  }
}
