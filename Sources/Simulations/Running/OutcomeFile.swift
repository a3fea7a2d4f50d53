public import Bandits
internal import Platform
internal import Tables

/// A file of outcomes: the plan, then a line for each finished run, in any order. Each line has a checksum.
///
/// A line is written by one call and counts once its end is written; the incomplete line of a killed process is
/// removed when the file is opened again. A damaged line is ignored, and its run is repeated. The outcomes of several
/// files of one plan can be merged.
public final class OutcomeFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The numbers of the damaged lines found when the file was opened, from 1. Their runs are missing.
  public let damagedLines: [Int]
  private let descriptor: Int32
  /// The checksum that seeds those of the runs.
  private let seed: UInt32

  /// Opens or creates a file, and reads its outcomes. Damaged lines are overwritten with spaces.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - plan: The plan that the outcomes must belong to.
  ///   - store: The store that the outcomes are added to.
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

  /// Reads a file, and prepares it for further lines.
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
    if let run = lines.read(bytes, into: &store) { throw conflict(run, of: plan, path, path) }
    for line in lines.damaged {
      try seek(descriptor, to: line.range.lowerBound, path)
      let blank = [UInt8](repeating: UInt8(ascii: " "), count: line.range.count)
      try write(blank, descriptor, path)
    }
    try cut(descriptor, at: lines.end, path)
    return lines.damaged.map { $0.number }
  }

  /// Truncates the file, and continues at its end.
  private static func cut(_ descriptor: Int32, at end: Int, _ path: String) throws {
    guard ftruncate(descriptor, off_t(end)) == 0 else {
      throw OutcomeFileError.system(path, "cannot be written", errno)
    }
    try seek(descriptor, to: end, path)
  }

  deinit { close(descriptor) }

  /// Writes an outcome.
  ///
  /// - Throws: ``OutcomeFileError`` if the file cannot be written.
  public func append(_ outcome: RunOutcome, pair: Int, run: Int) throws {
    let line = CheckedLine.line(OutcomeLine.json(outcome, pair: pair, run: run), after: seed)
    try Self.write(line, descriptor, path)
  }

  /// Checks that the sources of a merged plan are the same now as when its runs were made.
  ///
  /// - Parameters:
  ///   - sources: The sources as read now; the plan may have read more.
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

  static func requireSame(
    _ found: SimulationPlan, _ plan: SimulationPlan, _ path: String
  ) throws {
    guard !PlanLine.areSame(found, plan) else { return }
    throw OutcomeFileError(
      .otherPlan,
      "\(path): it is of another plan (\(PlanLine.difference(found, plan))); name another file, or remove it"
    )
  }

  // MARK: Calls

  /// Locks the file: two processes writing to it would repeat each other's runs, and mix up their lines.
  private static func lock(_ descriptor: Int32, _ path: String) throws {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK {
        throw OutcomeFileError(
          .locked, "\(path): another simulation is writing it; wait for it, or name another file")
      }
      throw OutcomeFileError.system(path, "cannot be locked", errno)
    }
  }

  static func read(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      // Safety: as many bytes are asked for as there is room for.
      let count = unsafe Platform.read(descriptor, &part, part.count)
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
    do throws(SystemError) {
      try FileCalls.writeAll(line[...], to: descriptor)
    } catch {
      throw OutcomeFileError.system(path, "cannot be written", error.number)
    }
  }
}
