import ArgumentParser
import EventLog
import Events
import Interchange
import Platform
import Tables

struct AppendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "append",
    abstract: "Append JSON Lines from standard input as they arrive.",
    usage: "bandolier append <log> [<options>]",
    discussion: """
      Lines are stored as soon as no further line is waiting, so a producer that waits for \
      acknowledgements is answered at once, and one that does not is stored in large batches.

      An event whose kind, id and slot are already in the log is skipped, so a producer that gives its events ids can \
      safely retry when it does not know which of them arrived. Those whose content differs are counted. Events \
      without an id are always appended.
      """)

  @OptionGroup var log: LogArgument

  @Flag(help: "Print `ack POSITION` once everything up to that position is on disk.")
  var ack = false

  @Flag(help: "Append events even if their id is already in the log.")
  var allowDuplicates = false

  @OptionGroup var placeholders: PlaceholderOptions

  func run() throws {
    let writer = try LogTarget.open(log.log)
    // The thread that commits refers to the writer, perhaps for longer than this call.
    defer { writer.close() }
    let allowDuplicates = allowDuplicates
    var differing: (count: Int, first: String?) = (0, nil)
    var lines = LineAppender(keepsPlaceholders: placeholders.keepPlaceholderUnits) { record in
      try Interrupt.check()
      if allowDuplicates { return .new(position: try writer.append(parsed: record)) }
      let appended = try writer.appendComparing(parsed: record)
      if appended.differs {
        differing.count += 1
        differing.first = differing.first ?? record.string(.id).map { String($0.prefix(100)) }
      }
      return appended.result
    }
    Interrupt.postpone()
    let ack = ack
    // By the number of lines, including duplicates: a producer that retries is answered, too.
    let commits = CommitAhead { _ in
      let durable = try writer.commit()
      if ack { try StandardOutput().append(Array("ack \(durable - 1)\n".utf8)) }
    }
    let finish = { (lines: LineAppender) throws -> Void in
      try commits.request(lines.taken)
      try commits.wait()
    }
    do {
      while let bytes = try StandardInput.next(idle: { try commits.wait() }) {
        try lines.append(bytes)
        try commits.request(lines.taken)
      }
      try lines.finish()
    } catch {
      // Lines before the error are stored and acknowledged; if that fails too, the first error is the one to
      // report.
      try? finish(lines)
      throw error
    }
    try finish(lines)
    Message.print(
      "appended \(lines.eventsAppended) events, duplicates \(lines.alreadyThere - differing.count)"
        + Message.refused(differing.count))
    if let id = differing.first {
      Message.print(
        "warning: events with other content have the id of one that was appended, the first "
          + "\(id.debugDescription), and were left out; give each event an id of its own")
    }
  }
}

/// Standard input, as it comes.
private enum StandardInput {
  private static let largest = 1 << 20

  /// Returns the available bytes, at least one and at most a mebibyte; nil at the end. A pipe gives 64 KiB at a time:
  /// what its writer adds meanwhile is read too, so that a single commit serves it.
  ///
  /// - Parameter idle: Called if there is nothing to read at once.
  /// - Returns: The bytes.
  /// - Throws: ``Interrupt``, a ``Failure`` to read, and errors of the closure.
  static func next(idle: () throws -> Void) throws -> [UInt8]? {
    if !hasMore() { try idle() }
    guard Interrupt.waitForInput(STDIN_FILENO) else { throw Interrupt() }
    var failure: Int32 = 0
    // Safety: each read writes at most as many bytes as are left of the buffer.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: largest) { buffer, count in
      count = 0
      repeat {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(rebasing: buffer[count...]))
        let got = unsafe read(STDIN_FILENO, rest.baseAddress, rest.count)
        failure = got < 0 ? errno : 0
        guard got > 0 else { return }
        count += got
      } while count < largest && hasMore()
    }
    if !bytes.isEmpty { return bytes }
    if failure == EINTR { return try next(idle: idle) }
    guard failure == 0 else {
      throw Failure(
        exitCode: Failure.inputOutput,
        "cannot read standard input (system error \(failure)); check what it is connected to")
    }
    return nil
  }

  /// Returns whether reading gives more at once.
  private static func hasMore() -> Bool {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    // Safety: one request is passed, which outlives the call.
    return unsafe poll(&request, 1, 0) > 0 && request.revents & Int16(POLLIN) != 0
  }
}

extension AppendCommand: WorkedExamples {
  static let examples = [
    "zcat datasets/storefront.jsonl.gz | bandolier append shop.log",
    #"""
    zcat datasets/storefront.jsonl.gz | tail -n 5 \
      | bandolier append shop.log --ack --allow-duplicates
    """#,
  ]
}
