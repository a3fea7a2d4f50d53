import ArgumentParser
import EventLog
import Events
import Interchange
import Reports
import Tables

/// The options of making a report of the parts of a log, and of merging them.
struct PartialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write what the log adds to the report to a file, instead of the report; see --merge.",
      valueName: "file"), completion: .anyFile)
  var partial: String?

  @Option(
    help: ArgumentHelp(
      "The log has exactly this part of the units, such as 1/4 for the first of `log split --into 4`; other units are "
        + "an error.",
      valueName: "i/n"), transform: Self.shard)
  var shard: UnitShard?

  @Option(
    help: ArgumentHelp(
      "The end of the data of all parts together, for reports that depend on it.",
      valueName: "time"), transform: WrittenTime.init)
  var dataEnd: WrittenTime?

  @Option(
    help: ArgumentHelp(
      "The merged partial of the pass before, for reports that make several passes over the log.",
      valueName: "file"), completion: .anyFile)
  var given: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Make the report of partials instead of a log: a file of --partial, or a folder of them; can be given more than "
        + "once.",
      valueName: "file or folder"), completion: .anyFile)
  var merge: [String] = []

  private static func shard(_ text: String) throws -> UnitShard {
    if let shard = UnitShard(text) { return shard }
    throw ValidationError(
      "\"\(text)\" is not a part of the units; write its number and that of all parts, at most "
        + "\(UnitShard.counts.upperBound), such as 1/4"
    )
  }

  func validate() throws {
    guard partial == nil else {
      if !merge.isEmpty, shard != nil {
        throw ValidationError(
          "--shard says which part of the units a log has; leave it out with --merge")
      }
      return
    }
    guard merge.isEmpty else {
      if shard != nil { throw ValidationError("--shard is not available with --merge") }
      return
    }
    for (name, isGiven) in [
      ("shard", shard != nil), ("data-end", dataEnd != nil), ("given", given != nil),
    ] where isGiven {
      throw ValidationError("--\(name) needs --partial FILE")
    }
  }

  /// The largest partial that is read, in bytes.
  private static let largest = 1 << 32

  /// Reads a file.
  ///
  /// - Throws: `ImportError` if it cannot be read.
  static func read(_ path: String) throws -> [UInt8] {
    try WholeInput.bytes(path, limit: largest) { Interrupt.waitForInput($0) }
  }

  /// The files that are merged; a folder stands for those in it, in bytewise order of their names.
  ///
  /// - Throws: ``Failure`` if a folder cannot be read or is empty.
  func mergedPaths() throws -> [String] {
    try merge.flatMap { path in
      do {
        guard let files = try FolderFiles.paths(in: path) else { return [path] }
        guard !files.isEmpty else {
          throw Failure(
            exitCode: Failure.inputMissing, "\(path): the folder has no partials; check the path")
        }
        return files
      } catch let error as SystemError {
        throw Failure(exitCode: Failure.inputOutput, "\(path) cannot be read: \(error.reason)")
      }
    }
  }
}
