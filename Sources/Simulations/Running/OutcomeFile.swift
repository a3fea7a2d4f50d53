public import Bandits
internal import Glibc

/// A file of outcomes: the plan, then a line for each run as it ends, in any order. Each line has a checksum.
///
/// A line is written by one call and counts once its end is there; what a killed process left half written is cut off
/// when the file is opened again. A line that is not what was written counts for nothing: its run is made again.
/// Outcomes of several files of one plan can be put together.
public final class OutcomeFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The numbers of the damaged lines that were met when the file was opened, from 1. Their runs are not there.
  public let damagedLines: [Int]
  private let descriptor: Int32
  /// What the checksums of runs go on from.
  private let seed: UInt32

  /// Opens a file, or makes it, and reads what it has. Damaged lines are overwritten with spaces.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - plan: What the outcomes must be of.
  ///   - store: What is read is added to it.
  /// - Throws: ``OutcomeFileError``.
  public init(path: String, plan: SimulationPlan, into store: inout OutcomeStore) throws {
    // Safety: the path is a terminated copy for the call.
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw OutcomeFileError.system(path, "cannot be opened", errno) }
    do {
      damagedLines = try Self.resume(file, path, plan, &store)
    } catch {
      close(file)
      throw error
    }
    (self.path, descriptor, seed) = (path, file, PlanLine.checksum(plan))
  }

  /// Reads a file, and makes it ready for more lines.
  ///
  /// - Returns: The numbers of its damaged lines.
  private static func resume(
    _ descriptor: Int32, _ path: String, _ plan: SimulationPlan, _ store: inout OutcomeStore
  ) throws -> [Int] {
    try lock(descriptor, path)
    let bytes = try read(descriptor, path)
    guard var lines = try OutcomeLines(bytes, path) else {
      try cut(descriptor, at: 0, path)
      try write(CheckedLine.line(PlanLine.json(plan)), descriptor, path)
      return []
    }
    try requireSame(lines.plan, plan, path)
    lines.read(bytes, into: &store)
    for line in lines.damaged {
      try seek(descriptor, to: line.range.lowerBound, path)
      let blank = [UInt8](repeating: UInt8(ascii: " "), count: line.range.count)
      try write(blank, descriptor, path)
    }
    try cut(descriptor, at: lines.end, path)
    return lines.damaged.map { $0.number }
  }

  /// Ends the file there, and goes on there.
  private static func cut(_ descriptor: Int32, at end: Int, _ path: String) throws {
    guard ftruncate(descriptor, off_t(end)) == 0 else {
      throw OutcomeFileError.system(path, "cannot be written", errno)
    }
    try seek(descriptor, to: end, path)
  }

  deinit { close(descriptor) }

  /// Writes an outcome.
  ///
  /// - Throws: ``OutcomeFileError`` when the file cannot be written.
  public func append(_ outcome: RunOutcome, pair: Int, run: Int) throws {
    let line = CheckedLine.line(OutcomeLine.json(outcome, pair: pair, run: run), after: seed)
    try Self.write(line, descriptor, path)
  }

  /// Reads the plan and the outcomes of several files.
  ///
  /// - Parameter paths: The files, at least one.
  /// - Returns: Their plan, all outcomes that one of them has, and the damaged lines, each as `PATH:LINE`.
  /// - Throws: ``OutcomeFileError``: a file is none of outcomes, or of another plan than the first.
  public static func merge(
    _ paths: [String]
  ) throws -> (plan: SimulationPlan, store: OutcomeStore, damagedLines: [String]) {
    var merged: (plan: SimulationPlan, store: OutcomeStore, damagedLines: [String])?
    for path in paths {
      // Safety: the path is a terminated copy for the call.
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw OutcomeFileError.system(path, "cannot be opened", errno) }
      defer { close(descriptor) }
      let bytes = try read(descriptor, path)
      guard var lines = try OutcomeLines(bytes, path), lines.plan.runs <= 100_000_000 else {
        throw OutcomeFileError.notOutcomes(path)
      }
      var (plan, store, damaged) = merged ?? (lines.plan, OutcomeStore(lines.plan), [])
      try requireSame(lines.plan, plan, path)
      lines.read(bytes, into: &store)
      damaged += lines.damaged.map { "\(path):\($0.number)" }
      merged = (plan, store, damaged)
    }
    guard let merged else { throw OutcomeFileError(.usage, "there is no file to merge") }
    return merged
  }

  /// Sees to it that what was read of a merged plan now is what its runs were made of.
  ///
  /// - Parameters:
  ///   - sources: What was read now; the plan may have read more.
  ///   - plan: The plan of the files.
  /// - Throws: ``OutcomeFileError`` that says what changed.
  public static func requireSame(_ sources: [PlanSource], as plan: SimulationPlan) throws {
    let changes = PlanLine.changes(plan.sources, sources)
    guard changes.isEmpty else {
      throw OutcomeFileError(
        .otherPlan,
        "the runs were made of other data (\(changes.joined(separator: ", "))); merge them with what they were made "
          + "of, or make them again")
    }
  }

  private static func requireSame(
    _ found: SimulationPlan, _ plan: SimulationPlan, _ path: String
  ) throws {
    guard !PlanLine.areSame(found, plan) else { return }
    throw OutcomeFileError(
      .otherPlan,
      "\(path): it is of another plan (\(PlanLine.difference(found, plan))); name another file, or remove it"
    )
  }

  // MARK: Calls

  /// Two processes that write one file would write their runs twice, and lines into each other.
  private static func lock(_ descriptor: Int32, _ path: String) throws {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK {
        throw OutcomeFileError(
          .locked, "\(path): another simulation is writing it; wait for it, or name another file")
      }
      throw OutcomeFileError.system(path, "cannot be locked", errno)
    }
  }

  private static func read(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      // Safety: as many bytes are asked for as there is room for.
      let count = unsafe Glibc.read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw OutcomeFileError.system(path, "cannot be read", errno) }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }

  private static func seek(_ descriptor: Int32, to place: Int, _ path: String) throws {
    guard lseek(descriptor, off_t(place), SEEK_SET) >= 0 else {
      throw OutcomeFileError.system(path, "cannot be written", errno)
    }
  }

  private static func write(_ line: [UInt8], _ descriptor: Int32, _ path: String) throws {
    var done = 0
    while done < line.count {
      // Safety: the bytes from `done` on are as many as are passed.
      let count = unsafe line.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, line.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw OutcomeFileError.system(path, "cannot be written", errno) }
      done += count
    }
  }
}

/// Why a file of outcomes could not be used.
public struct OutcomeFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of trouble it is. More may be added.
  public enum Code: String, Sendable, CaseIterable {
    /// Nothing was named.
    case usage
    /// The file is not there.
    case notFound
    /// The file is none of outcomes.
    case notOutcomes
    /// Its outcomes are of another plan.
    case otherPlan
    /// Another version wrote it.
    case otherVersion
    /// The line that says what it is of is not what was written.
    case damaged
    /// Another process is writing it.
    case locked
    /// Reading or writing failed.
    case inputOutput
  }

  /// What sort of trouble it is.
  public var code: Code
  /// What is wrong, where, and how to mend it.
  public var description: String

  init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  static func notOutcomes(_ path: String) -> OutcomeFileError {
    OutcomeFileError(
      .notOutcomes,
      "\(path): no outcomes of a simulation; name the file that `simulate --checkpoint` wrote")
  }

  static func system(_ path: String, _ what: String, _ number: Int32) -> OutcomeFileError {
    // Safety: the text is copied at once; no other thread of ours asks for one in between that would matter.
    let reason = unsafe String(cString: strerror(number))
    return OutcomeFileError(
      number == ENOENT ? .notFound : .inputOutput, "\(path): \(what): \(reason)")
  }
}
