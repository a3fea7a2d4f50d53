public import Bandits
internal import Events
internal import Glibc

/// A file of outcomes: the plan, then a line for each run as it ends, in any order.
///
/// A line is written by one call and counts once its end is there; what a killed process left half written is cut off
/// when the file is opened again. Outcomes of several files of one plan can be put together.
public final class OutcomeFile: Sendable {
  /// The path of the file.
  public let path: String
  private let descriptor: Int32

  /// Opens a file, or makes it, and reads what it has.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - plan: What the outcomes must be of.
  ///   - store: What is read is added to it.
  /// - Throws: ``OutcomeFileError``.
  public init(path: String, plan: SimulationPlan, into store: inout OutcomeStore) throws {
    self.path = path
    // Safety: the path is a terminated copy for the call.
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutcomeFileError.system(path, "cannot be opened", errno) }
    do {
      try Self.lock(descriptor, path)
      let bytes = try Self.read(descriptor, path)
      let end = try Self.parse(bytes, path, plan, &store)
      guard ftruncate(descriptor, off_t(end)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
        throw OutcomeFileError.system(path, "cannot be written", errno)
      }
      if end == 0 { try Self.write(Self.line(PlanLine.json(plan)), descriptor, path) }
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Writes an outcome.
  ///
  /// - Throws: ``OutcomeFileError`` when the file cannot be written.
  public func append(_ outcome: RunOutcome, pair: Int, run: Int) throws {
    try Self.write(Self.line(OutcomeLine.json(outcome, pair: pair, run: run)), descriptor, path)
  }

  /// Reads the plan and the outcomes of several files.
  ///
  /// - Parameter paths: The files, at least one.
  /// - Returns: Their plan, and all outcomes that one of them has.
  /// - Throws: ``OutcomeFileError``: a file is none of outcomes, or of another plan than the first.
  public static func merge(_ paths: [String]) throws -> (plan: SimulationPlan, store: OutcomeStore)
  {
    var merged: (plan: SimulationPlan, store: OutcomeStore)?
    for path in paths {
      // Safety: the path is a terminated copy for the call.
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw OutcomeFileError.system(path, "cannot be opened", errno) }
      defer { close(descriptor) }
      let bytes = try read(descriptor, path)
      let first = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      guard let head = try? JSONValue(parsing: Array(bytes[..<first])),
        let plan = PlanLine.read(head), plan.runs <= 100_000_000
      else { throw OutcomeFileError.notOutcomes(path) }
      var (known, store) = merged ?? (plan, OutcomeStore(plan))
      try parse(bytes, path, known, &store)
      known = merged?.plan ?? plan
      merged = (known, store)
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

  // MARK: Lines

  private static func line(_ value: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }

  /// Reads whole lines.
  ///
  /// - Returns: Where the last of them ends.
  @discardableResult
  private static func parse(
    _ bytes: [UInt8], _ path: String, _ plan: SimulationPlan, _ store: inout OutcomeStore
  ) throws -> Int {
    let pairs = plan.environments.count * plan.policies.count
    let steps = plan.steps.count
    var (start, number) = (0, 0)
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      number += 1
      let value = try? JSONValue(parsing: Array(bytes[start..<end]))
      if number == 1 {
        guard let head = value.flatMap(PlanLine.read) else {
          throw OutcomeFileError.notOutcomes(path)
        }
        guard PlanLine.areSame(head, plan) else {
          throw OutcomeFileError(
            .otherPlan,
            "\(path): it is of another plan (\(PlanLine.difference(head, plan))); name another file, or remove it"
          )
        }
      } else {
        guard let read = value.flatMap({ OutcomeLine.read($0, steps: steps) }), read.pair < pairs,
          read.run < plan.runs
        else {
          throw OutcomeFileError(
            .damaged,
            "\(path):\(number): no outcome of this plan; remove the line, and its run is made again"
          )
        }
        store.add(read.outcome, pair: read.pair, run: read.run)
      }
      start = end + 1
    }
    // A file that was killed while its first line was written has a beginning of it.
    guard number > 0 || line(PlanLine.json(plan)).starts(with: bytes) else {
      throw OutcomeFileError.notOutcomes(path)
    }
    return start
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
    /// A line of it is not what was written.
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
