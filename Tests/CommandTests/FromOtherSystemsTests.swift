import Foundation
import TestSupport
import Testing

/// The table of "From other systems to Bandolier in one command": each row's command is run as it is printed, in a
/// folder that has nothing but a sample under the name that the command has.
@Suite("Commands of the page on other systems")
struct FromOtherSystemsTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  private static let samples = root + "/Tests/CommandTests/Samples/From/"

  /// A row of the table.
  struct Row: Sendable, CustomTestStringConvertible {
    let format: String
    let command: String

    var testDescription: String { format }

    /// The file that the command imports.
    var file: String { command.split(separator: " ").dropFirst(2).first.map(String.init) ?? "" }

    /// The file's sample, which is not compressed.
    var sample: String { file.hasSuffix(".gz") ? String(file.dropLast(3)) : file }

    var isRecognized: Bool { !command.contains("--format") && !command.contains("--map") }
  }

  /// The rows: `| System (`format`) | ... | `bandolier import ...` | ... |`.
  private static let rows: [Row] = {
    let page = "/Sources/Interchange/Interchange.docc/FromOtherSystems.md"
    let text = (try? String(contentsOfFile: root + page, encoding: .utf8)) ?? ""
    return text.matches(
      of: /\n\| [^|]*\(`([a-z0-9-]+)`\) \| [^|]+ \| `(bandolier import [^`|]+)` \| [^|\n]+ \|/
    ).map { Row(format: String($0.output.1), command: String($0.output.2)) }
  }()

  @Test("every format has one row, and every row a sample")
  func complete() throws {
    let table = try Command.run("formats --format csv")
    expectDone(table)
    let formats = table.lines.dropFirst().compactMap { $0.split(separator: ",").first }
    #expect(formats.count > 20)
    #expect(Self.rows.map(\.format).sorted() == formats.map(String.init).sorted())
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.samples)
    #expect(Self.rows.map(\.sample).sorted() == files.sorted())
  }

  @Test(
    "every command imports its sample whole, and the same file again adds nothing", arguments: rows)
  func commands(row: Row) throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path("bin/bandolier"), withDestinationPath: Command.path)
    let sample = try Files.bytes(Self.samples + row.sample)
    _ = try folder.write(row.file.hasSuffix(".gz") ? Gzip.member(sample) : sample, row.file)

    let first = try run(row, in: folder)
    expectDone(first)
    #expect(
      first.messages.contains(/appended [1-9][0-9]* events, duplicates 0, rejected 0\n/),
      "\(first.messages)")
    if row.isRecognized {
      #expect(
        first.messages.contains("bandolier: \(row.file): \(row.format) ("), "\(first.messages)")
    }
    let again = try run(row, in: folder)
    expectDone(again)
    #expect(again.messages.contains("appended 0 events, "), "\(again.messages)")
    #expect(again.messages.contains(", rejected 0\n"), "\(again.messages)")
  }

  private func run(_ row: Row, in folder: TemporaryFolder) throws -> CommandResult {
    let shell = try RunningCommand(
      "/bin/sh", ["-c", row.command],
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "HOME": folder.path],
      directory: folder.path)
    return try shell.finish()
  }
}
