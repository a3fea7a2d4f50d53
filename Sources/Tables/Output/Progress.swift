internal import Platform
internal import Specifications

/// When a progress line is shown.
public enum ProgressMode: String, CaseIterable, Sendable {
  /// If standard error is a terminal.
  case auto
  /// Always; in whole lines if standard error is not a terminal.
  case always
  /// Never.
  case never
}

/// A progress line: `replaying  1.2M/3.4M events  35 %  410k events/s`.
///
/// On a terminal the line is rewritten, at most every 100 ms, and cleared at the end. Elsewhere, if shown at all,
/// each update is a line of its own, at most every second.
public struct Progress {
  /// The unit of the amounts.
  public enum Unit: Equatable, Sendable {
    /// Things with this plural name, in powers of 1000.
    case count(String)
    /// Bytes, in powers of 1024.
    case bytes
  }

  private enum Style { case silent, rewriting, lines }

  private let label: String
  private let total: Int?
  private let unit: Unit
  private let width: Int
  private let style: Style
  private let clock: () -> UInt64
  private let output: ([UInt8]) -> Void
  private let start: UInt64
  private var last: UInt64
  private var done = 0
  private var shown: Int?

  /// Starts a progress line; nothing is written before the first interval has passed.
  ///
  /// - Parameters:
  ///   - label: The activity, such as `replaying`.
  ///   - total: The total amount; nil if unknown.
  ///   - unit: The unit of the amounts.
  ///   - mode: When the line is shown.
  ///   - isTerminal: Whether the output is a terminal.
  ///   - width: The width of the terminal, in columns.
  ///   - clock: Returns the nanoseconds of a monotonic clock.
  ///   - output: Writes the bytes.
  public init(
    label: String, total: Int?, unit: Unit, mode: ProgressMode, isTerminal: Bool, width: Int = 80,
    clock: @escaping () -> UInt64, output: @escaping ([UInt8]) -> Void
  ) {
    self.label = TerminalText.escaped(label)
    self.total = total
    self.unit = unit
    self.width = width
    self.clock = clock
    self.output = output
    switch mode {
    case .never: style = .silent
    case .auto: style = isTerminal ? .rewriting : .silent
    case .always: style = isTerminal ? .rewriting : .lines
    }
    start = style == .silent ? 0 : clock()
    last = start
  }

  /// Starts a progress line on standard error, with the system's monotonic clock. Errors of standard error are
  /// ignored: progress is not worth a failed task.
  public static func onStandardError(
    label: String, total: Int?, unit: Unit, mode: ProgressMode
  ) -> Progress {
    let descriptor: Int32 = 2
    let sink = StandardOutput(descriptor: descriptor, name: "standard error")
    return Progress(
      label: label, total: total, unit: unit, mode: mode,
      isTerminal: Terminal.isTerminal(descriptor), width: Terminal.width(descriptor) ?? 80,
      clock: { UInt64(clamping: SystemClock.monotonicNanoseconds) },
      output: { try? sink.append($0) })
  }

  /// Sets the amount done so far, and shows it if the interval has passed.
  public mutating func update(done: Int) {
    guard style != .silent else { return }
    self.done = done
    let now = clock()
    let interval: UInt64 = style == .lines ? 1_000_000_000 : 100_000_000
    guard now >= last, now - last >= interval else { return }
    last = now
    show(now)
  }

  /// Ends the line: clears it on a terminal, elsewhere writes the last state unless it has been written.
  ///
  /// - Parameter keeping: Whether the last state stays on the terminal too, to show the final speed.
  public mutating func finish(keeping: Bool = false) {
    switch style {
    case .silent: break
    case .rewriting where keeping:
      show(clock())
      output(Array("\n".utf8))
    case .rewriting:
      if shown != nil { output(Array("\r\u{1B}[K".utf8)) }
    case .lines:
      if shown != done { show(clock()) }
    }
    shown = style == .lines ? done : nil
  }

  private mutating func show(_ now: UInt64) {
    shown = done
    let line = text(elapsed: now >= start ? now - start : 0)
    switch style {
    case .silent: break
    // One column is left free: a terminal wraps when its last column is written.
    case .rewriting:
      output(Array("\r\(TerminalText.fitted(line, to: max(width - 1, 1)))\u{1B}[K".utf8))
    case .lines: output(Array((line + "\n").utf8))
    }
  }

  private func amount(_ amount: Int) -> String {
    switch unit {
    case .count: NumberText.scaled(amount, step: 1_000, names: ["", "k", "M", "G", "T"])
    case .bytes:
      NumberText.scaled(amount, step: 1_024, names: [" B", " KiB", " MiB", " GiB", " TiB"])
    }
  }

  private func text(elapsed: UInt64) -> String {
    var parts = [label]
    let name = if case .count(let name) = unit { " " + TerminalText.escaped(name) } else { "" }
    if let total {
      parts.append("\(amount(done))/\(amount(total))\(name)")
      if total > 0 {
        let percent = (Double(done) / Double(total) * 100).rounded(.down)
        parts.append("\(Int(min(max(percent, 0), 100))) %")
      }
    } else {
      parts.append(amount(done) + name)
    }
    if elapsed > 0 {
      let rate = Double(done) / (Double(elapsed) / 1e9)
      parts.append("\(amount(Int(exactly: rate.rounded()) ?? .max))\(name)/s")
    }
    return parts.joined(separator: "  ")
  }
}
