internal import Bandits
internal import Events

/// The parsed lines of a file of outcomes: its plan, its runs, and its damaged lines.
struct OutcomeLines {
  /// The plan of the file.
  let plan: SimulationPlan
  /// The end of the last complete line; what follows was interrupted while it was written.
  private(set) var end: Int
  /// The damaged lines: their numbers from 1, and their ranges.
  private(set) var damaged: [(number: Int, range: Range<Int>)] = []

  /// The beginning of every file.
  static let mark = Array(#"{"\#(PlanLine.formatKey)":"#.utf8)
  private static let newline = UInt8(ascii: "\n")

  /// Reads the plan of a file.
  ///
  /// - Returns: nil for a file whose first line is incomplete.
  /// - Throws: ``OutcomeFileError`` for any other file without a plan.
  init?(_ bytes: [UInt8], _ path: String) throws {
    guard let first = bytes.firstIndex(of: Self.newline) else {
      // After a power cut a file may have its full length, with zeros in place of unwritten data.
      let isTorn = bytes.starts(with: Self.mark) || Self.mark.starts(with: bytes)
      guard isTorn || bytes.allSatisfy({ $0 == 0 }) else {
        throw OutcomeFileError.notOutcomes(path)
      }
      return nil
    }
    let line = bytes[..<first]
    guard let object = CheckedLine.object(of: line), let plan = PlanLine.read(object) else {
      throw Self.refusal(line, path)
    }
    try Self.requireSameNumerics(object, path)
    self.plan = plan
    end = first + 1
  }

  private static func requireSameNumerics(_ line: JSONValue, _ path: String) throws {
    let mark = line[PlanLine.numericsKey]?.string ?? "none"
    guard mark != PlanLine.numerics else { return }
    throw OutcomeFileError(
      .otherNumerics,
      "\(path): its runs were made by a build or on a machine that rounds differently (numerics mark \(mark), here "
        + "\(PlanLine.numerics)); make all runs with one build, and merge them with it")
  }

  /// Returns why a first line is not that of a plan.
  private static func refusal(_ line: ArraySlice<UInt8>, _ path: String) -> OutcomeFileError {
    guard line.starts(with: mark) else { return .notOutcomes(path) }
    let format = (try? JSONValue(parsing: Array(line)))?[PlanLine.formatKey]?.integer
    guard let format, format != PlanLine.format else {
      return OutcomeFileError(
        .damaged,
        "\(path):1: the line is damaged, and nothing else says of which plan the runs are; remove the file, and they "
          + "are made again")
    }
    let writer =
      format < PlanLine.format
      ? "an older version of bandolier wrote it; remove it, and its runs are made again"
      : "a newer version of bandolier wrote it; use that version, or name another file"
    return OutcomeFileError(.otherVersion, "\(path): format \(format): \(writer)")
  }

  /// Reads the runs of the file, and adds them to a store of the same plan.
  ///
  /// - Returns: The first run of which the store has another outcome; nil if there is none.
  mutating func read(
    _ bytes: [UInt8], into store: inout OutcomeStore
  ) -> (pair: Int, run: Int)? {
    var conflict: (pair: Int, run: Int)?
    let pairs = plan.environments.count * plan.policies.count
    let steps = plan.steps.count
    let seed = PlanLine.checksum(plan)
    var number = 1
    while let next = bytes[end...].firstIndex(of: Self.newline) {
      number += 1
      let line = bytes[end..<next]
      let object = CheckedLine.object(of: line, after: seed)
      if let read = object.flatMap({ OutcomeLine.read($0, steps: steps) }), read.pair < pairs,
        read.run < plan.runs
      {
        let isSame = store.addOrCompare(read.outcome, pair: read.pair, run: read.run)
        if !isSame, conflict == nil { conflict = (read.pair, read.run) }
      } else if !line.allSatisfy({ $0 == UInt8(ascii: " ") }) {
        damaged.append((number, end..<next))
      }
      end = next + 1
    }
    return conflict
  }
}
