public import ArgumentParser
public import EventLog
import Reports
import Tables

extension DamagePolicy: ExpressibleByArgument {}

/// Whether a verb continues with a damaged log, and how losses are reported.
struct DamageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Damaged parts of the log: strict stops at them, skip leaves them out and lists what is lost.",
      valueName: "what"))
  var damaged: DamagePolicy = .strict

  /// The maximum number of losses listed on standard error.
  private static let listed = 20

  /// Runs the body with a reader of the log, and then reports what was lost; in strict mode, the error names
  /// the option with which to continue.
  func reading(_ log: LogArgument, _ body: (LogReader) throws -> Void) throws {
    do {
      let reader = try log.open(damaged: damaged)
      defer { Self.print(reader.losses.map(\.description), reader.lostEventCount) }
      try body(reader)
    } catch var error as LogError
      where error.code == .damaged && damaged == .strict && !error.saysRemedy
    {
      error.message +=
        "; or read the rest (--damaged skip), or repair the log (bandolier log repair)"
      throw error
    }
  }

  /// Lists what was lost on standard error.
  static func print(_ losses: [String], _ events: UInt64) {
    guard !losses.isEmpty else { return }
    for loss in losses.prefix(listed) { Message.print("lost: \(loss)") }
    if losses.count > listed { Message.print("lost: \(losses.count - listed) more places") }
    Message.print(
      "lost: \(AnswerText.count(Int(clamping: events), "event")) in \(AnswerText.count(losses.count, "place"))")
  }
}
