import Foundation
import TestSupport
import Testing

/// `make install` and `make uninstall`, with the command that was built for these tests.
@Suite("Installing")
struct InstallTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static func make(_ target: String, _ folder: TemporaryFolder) throws -> CommandResult {
    // An empty BUILD installs what is there.
    try Program.run(
      "make",
      [
        "--no-print-directory", target, "PREFIX=/usr", "DESTDIR=\(folder.path("a package"))",
        "BUILD=", "INSTALLED=\(Command.path)", "PAGES=\(folder.path("pages"))",
      ], directory: root)
  }

  private static func files(_ folder: TemporaryFolder) -> Set<String> {
    let top = folder.path("a package")
    let names = FileManager.default.enumerator(atPath: top)?.allObjects ?? []
    return Set(
      names.compactMap { $0 as? String }.filter { name in
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(top)/\(name)")
        return attributes?[.type] as? FileAttributeType == .typeRegular
      })
  }

  @Test(
    "make install puts command, manual pages and completions where they are looked for, and uninstall removes them",
    .enabled(
      if: Program.isInstalled("make") && Program.isInstalled("strip"),
      "make or strip is not installed"))
  func install() throws {
    let folder = try TemporaryFolder()
    let result = try Self.make("install", folder)
    expectDone(result)
    let files = Self.files(folder)
    let expected: Set = [
      "usr/bin/bandolier", "usr/share/man/man1/bandolier.1",
      "usr/share/man/man1/bandolier-report-compare.1",
      "usr/share/bash-completion/completions/bandolier",
      "usr/share/zsh/site-functions/_bandolier",
      "usr/share/fish/vendor_completions.d/bandolier.fish",
    ]
    #expect(files.isSuperset(of: expected), "\(files)")
    let installed = folder.path("a package/usr/bin/bandolier")
    let version = try RunningCommand(
      installed, ["--version"], environment: [:], directory: folder.path
    ).finish()
    #expect(version.text == (try Command.run("--version").text))
    let sizes = try [installed, Command.path].map {
      try #require(FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int)
    }
    #expect(sizes[0] < sizes[1], "the installed command is stripped")

    expectDone(try Self.make("uninstall", folder))
    #expect(Self.files(folder).isEmpty)
  }

  @Test(
    "make static builds a command that needs no library, neither Swift's nor the system's",
    .enabled(if: LongTests.areWanted, "make test-long runs it: it builds everything again"))
  func staticCommand() throws {
    let make = try RunningCommand(
      Program.path("make") ?? "make", ["--no-print-directory", "static"],
      environment: ProcessInfo.processInfo.environment, directory: Self.root, patience: 1_800)
    let built = try make.finish()
    expectDone(built)
    let path = Self.root + "/.build/static/release/bandolier"
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped))
    #expect(Self.programHeaders(of: bytes).contains(1))
    // Neither an interpreter nor a dynamic section.
    #expect(Set(Self.programHeaders(of: bytes)).isDisjoint(with: [2, 3]))
    let run = try RunningCommand(
      path, ["explain", "rewards"], environment: [:], directory: "/"
    ).finish()
    #expect(run.text == (try Command.run("explain rewards").text))
  }

  /// The types of the program headers of a 64-bit little-endian ELF file.
  private static func programHeaders(of bytes: [UInt8]) -> [Int] {
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    let (start, size, count) = (number(32, 8), number(54, 2), number(56, 2))
    return (0..<count).map { number(start + $0 * size, 4) }
  }
}
