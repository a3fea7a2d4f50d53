import ArgumentParser
import EventLog
import Platform

/// The argument that names a log to read.
struct LogArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder of the log.", valueName: "log"), completion: .log)
  var log: String

  /// Opens the log, and prints a note about bytes after its last complete frame.
  func open(damaged: DamagePolicy = .strict) throws -> LogReader {
    try Self.open(log, damaged: damaged)
  }

  /// Opens a log, and prints a note about bytes after its last complete frame.
  static func open(_ log: String, damaged: DamagePolicy = .strict) throws -> LogReader {
    let reader: LogReader
    do {
      reader = try LogReader(log, damaged: damaged)
    } catch {
      throw UnimportedInput.advising(error, log)
    }
    let proof = reader.hasWriter ? .whole : reader.endProof
    if let tail = reader.tail {
      let place = "\(tail.byteCount) bytes at byte \(tail.offset) of \(tail.path) are an incomplete frame"
      Message.print(
        proof == .whole
          ? "note: \(place) (of a running writer, or left by a crash); they contain nothing that was acknowledged"
          : "warning: \(place), which is not read; \(unproven(proof)) whether a crash left it or the file was cut "
            + "short: if the log is a copy, copy all its files again")
    } else if proof == .damaged {
      Message.print(
        "warning: \(log): \(unproven(proof)) whether events are missing at the end: if the log is a copy, copy all "
          + "its files again")
    }
    if try LogFilling.isUnfinished(log) {
      Message.print(
        "note: \(log) is incomplete: the command that writes it has not finished; run the same command again"
      )
    }
    if !reader.unknownParts.isEmpty {
      Message.print(
        "note: a newer version wrote \(reader.unknownParts.joined(separator: ", ")); "
          + "they are skipped")
    }
    return reader
  }
}

extension LogArgument {
  /// The beginning of a sentence on what the files of a log do not tell.
  static func unproven(_ proof: LogReader.EndProof) -> String {
    proof == .damaged
      ? "one of HEAD.0 and HEAD.1 is missing or damaged, so that nothing tells"
      : "without HEAD.0 and HEAD.1 in the folder nothing tells"
  }
}

/// Opens logs for writing.
enum LogTarget {
  static func open(_ path: String, seed: UInt64? = nil) throws -> LogWriter {
    let writer = try LogWriter(path, options: LogOptions(seed: seed, holder: holder))
    tell(writer.recovered)
    return writer
  }

  /// Opens a log to rewrite it.
  static func rewriter(_ path: String) throws -> LogRewriter {
    let rewriter = try LogRewriter(path, holder: holder)
    tell(rewriter.recovered)
    return rewriter
  }

  private static func tell(_ recovered: RecoveredTail?) {
    guard let tail = recovered else { return }
    Message.print(
      "note: \(tail.byteCount) bytes at byte \(tail.offset) of \(tail.path) were left by a crash and "
        + "never acknowledged; they were moved to \(tail.quarantined)")
  }

  /// Returns whether there is a log at a path, damaged or not.
  static func exists(_ path: String) -> Bool {
    do {
      _ = try LogReader(path)
      return true
    } catch { return error.code != .notFound }
  }

  /// Opens new logs to fill, and rejects a path that already has events.
  static func fill(_ targets: [(path: String, seed: UInt64)]) throws -> [LogWriter?] {
    try noteUnfinished(targets.map(\.path))
    return try LogFilling.open(targets, holder: holder)
  }

  /// Prints a note about each new log that was begun before and not finished.
  static func noteUnfinished(_ paths: [String]) throws {
    let unfinished = try paths.filter { try LogFilling.isUnfinished($0) }
    guard !unfinished.isEmpty else { return }
    let verb = unfinished.count == 1 ? "was" : "were"
    Message.print("note: \(shown(unfinished)) \(verb) not finished before; starting over")
  }

  /// Returns paths in a message: all, or the first and the last if there are many.
  private static func shown(_ paths: [String]) -> String {
    guard paths.count > 8, let first = paths.first, let last = paths.last else {
      return paths.joined(separator: ", ")
    }
    return "\(first) to \(last) (\(paths.count) logs)"
  }

  /// Opens one new log to fill.
  static func fill(_ path: String, seed: UInt64) throws -> LogWriter {
    // With a single log, none can be complete already.
    guard let writer = try fill([(path, seed)]).first ?? nil else {
      throw Failure(exitCode: Failure.cannotCreate, "\(path) already exists; name another folder")
    }
    return writer
  }

  /// Runs a body that fills new logs. If it fails, prints a note that they are incomplete.
  static func filling<Result>(_ paths: [String], _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      Message.print(
        "\(shown(paths)): not finished; run the same command again to start over")
      throw error
    }
  }

  /// The holder written to the lock, for those who find it taken.
  static var holder: String {
    var name = [CChar](repeating: 0, count: 256)
    // Safety: gethostname writes at most 255 bytes and the last one stays zero.
    let isNamed = unsafe gethostname(&name, 255) == 0
    let host = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "process \(getpid())" + (isNamed ? " on \(host)" : "")
  }
}
