import EventLog
import Interchange
import Specifications

/// A file or folder of another system that was named where a log should be.
enum UnimportedInput {
  /// Returns the error with the import that makes a log of the path; the error itself if nothing can be imported.
  static func advising(_ error: LogError, _ path: String) -> any Error {
    guard error.code == .notALog, error.path == path,
      let (what, commands) = imports(path)
    else { return error }
    return Failure(
      exitCode: error.exitCode, "\(path) is \(what) and not a log; make a log of it, and name that: \(commands)")
  }

  /// Returns what the path has, and the commands that import it; nil if it cannot be imported.
  private static func imports(_ path: String) -> (what: String, commands: String)? {
    guard let file = try? InputPaths.expanded([path]).first else { return nil }
    let importer = Importer(waitForInput: Interrupt.waitForInput)
    let stem = ImportInput.stem(path)
    let plain = "bandolier import \(path.shellWord) --log \("\(stem).log".shellWord)"
    if let format = try? importer.recognizedFormat(of: file) {
      return ("in the format \(format.type.info.name)", plain)
    }
    guard let sample = try? importer.sample(file), let proposal = MappingSuggestion(sample) else {
      return nil
    }
    let missing = proposal.missing.joined(separator: " or ")
    let mapping = "\(stem).yaml".shellWord
    return (
      "a table" + (missing.isEmpty ? "" : " without a column that looks like the \(missing), which the mapping needs,"),
      "bandolier import --suggest \(file.shellWord) > \(mapping) && \(plain) --map \(mapping)"
    )
  }
}
