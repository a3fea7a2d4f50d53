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
  private static let mark = Array(#"{"\#(PlanLine.formatKey)":"#.utf8)
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
    guard let plan = CheckedLine.object(of: line).flatMap(PlanLine.read) else {
      throw Self.refusal(line, path)
    }
    self.plan = plan
    end = first + 1
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
      ? "an older version of bandolier wrote it, without checksums; remove it, and its runs are made again"
      : "a newer version of bandolier wrote it; use that version, or name another file"
    return OutcomeFileError(.otherVersion, "\(path): format \(format): \(writer)")
  }

  /// Reads the runs of the file, and adds them to a store of the same plan.
  mutating func read(_ bytes: [UInt8], into store: inout OutcomeStore) {
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
        store.add(read.outcome, pair: read.pair, run: read.run)
      } else if !line.allSatisfy({ $0 == UInt8(ascii: " ") }) {
        damaged.append((number, end..<next))
      }
      end = next + 1
    }
  }
}
