public import ArgumentParser
public import Tables
import Threads

extension ProgressMode: ExpressibleByArgument {}

/// The option for showing progress.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .customLong("progress"),
    help: ArgumentHelp(
      "When to show progress on standard error; auto is on a terminal only.", valueName: "when"))
  var mode: ProgressMode = .auto
}

extension ProgressMode {
  /// Runs work, with a progress line until it ends.
  ///
  /// - Parameters:
  ///   - label: The activity, such as `replaying`.
  ///   - total: The total amount; nil if unknown.
  ///   - unit: The unit of the amounts.
  ///   - keeping: Whether the last state of the line stays.
  ///   - work: The work. It is given a function to call with the amount done so far, from any thread.
  /// - Returns: What the work returns.
  /// - Throws: The errors of the work.
  func showing<Result>(
    _ label: String, of total: UInt64?, _ unit: Progress.Unit = .count("events"),
    keeping: Bool = false, _ work: (@escaping @Sendable (UInt64) -> Void) throws -> Result
  ) throws -> Result {
    let line = Monitor(
      Progress.onStandardError(
        label: label, total: total.map { Int(clamping: $0) }, unit: unit, mode: self))
    defer { line.withLock { $0.finish(keeping: keeping) } }
    return try work { done in line.withLock { $0.update(done: Int(clamping: done)) } }
  }

  /// Runs work on events that changes files, with a progress line: an interrupt ends it at the next call of the
  /// function that it is given, and not in the middle of a file.
  func running<Result>(
    _ label: String, of total: UInt64?, _ work: ((UInt64) throws -> Void) throws -> Result
  ) throws -> Result {
    Interrupt.postpone()
    return try showing(label, of: total) { update in
      try work { done in
        update(done)
        try Interrupt.check()
      }
    }
  }
}
