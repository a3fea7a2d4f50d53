import ArgumentParser
import Tables

struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the manual pages, one for each verb, into a folder.",
    usage: "bandolier manual -o <folder> [--force]",
    discussion: """
      The pages are made of what the verbs declare, and depend on the version only. `make install` installs them; \
      packagers can call this verb.
      """,
    shouldDisplay: false)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder; created if it does not exist.", valueName: "folder"),
    completion: .directory)
  var output: String

  @Flag(help: "Replace pages that exist.")
  var force = false

  func run() throws {
    let pages = try ManualPage.all()
    try OutputFolder.create(output)
    for page in pages {
      try AtomicFile.write(Array(page.text.utf8), to: "\(output)/\(page.fileName)", force: force)
    }
    Message.print("wrote \(pages.count) pages to \(output)")
  }
}

extension ManualCommand: WorkedExamples {
  static let examples = [
    "bandolier manual -o man1",
    "bandolier manual -o man1 --force && head -n 3 man1/bandolier.1",
  ]
}
