/// When a progress line is shown.
public enum ProgressMode: String, CaseIterable, Sendable {
  /// When standard error is a terminal.
  case auto
  /// Always; in whole lines when standard error is no terminal.
  case always
  /// Never.
  case never
}

/// A line that says how far a long task is: `replaying  1.2M/3.4M events  35 %  410k events/s`.
///
/// On a terminal the line rewrites itself, at most every 100 ms, and is gone at the end. Elsewhere,
/// if shown at all, it is a line of its own, at most every second.
public struct Progress {
  /// What is counted.
  public enum Unit: Equatable, Sendable {
    /// Things of this name in the plural, in steps of a thousand.
    case count(String)
    /// Bytes, in steps of 1024.
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

  /// Starts a progress line; nothing is written before the first interval is over.
  ///
  /// - Parameters:
  ///   - label: What is being done, such as `replaying`.
  ///   - total: How much there is to do; nil when nobody knows.
  ///   - unit: What is counted.
  ///   - mode: When the line is shown.
  ///   - isTerminal: Whether the output is a terminal.
  ///   - width: The columns of the terminal.
  ///   - clock: Nanoseconds of a clock that does not go back.
  ///   - output: Takes the bytes.
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

  /// Starts a progress line on standard error, with the system's monotonic clock. Errors of
  /// standard error are ignored: progress is not worth a failed task.
  public static func onStandardError(
    label: String, total: Int?, unit: Unit, mode: ProgressMode
  ) -> Progress {
    let descriptor: Int32 = 2
    let sink = StandardOutput(descriptor: descriptor, name: "standard error")
    return Progress(
      label: label, total: total, unit: unit, mode: mode,
      isTerminal: Terminal.isTerminal(descriptor), width: Terminal.width(descriptor) ?? 80,
      clock: Terminal.monotonicNanoseconds, output: { try? sink.append($0) })
  }

  /// Says how much is done so far, and shows it when the interval is over.
  public mutating func update(done: Int) {
    guard style != .silent else { return }
    self.done = done
    let now = clock()
    let interval: UInt64 = style == .lines ? 1_000_000_000 : 100_000_000
    guard now >= last, now - last >= interval else { return }
    last = now
    show(now)
  }

  /// Ends the line: clears it on a terminal, writes the last state as a line elsewhere unless it
  /// has been written.
  ///
  /// - Parameter keeping: Leave the last state on the terminal too, for those who want to know how fast it was.
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
    // One column is left free: a terminal moves on when its last is written.
    case .rewriting:
      output(Array("\r\(TerminalText.fitted(line, to: max(width - 1, 1)))\u{1B}[K".utf8))
    case .lines: output(Array((line + "\n").utf8))
    }
  }

  private func text(elapsed: UInt64) -> String {
    var parts = [label]
    let name = if case .count(let name) = unit { " " + TerminalText.escaped(name) } else { "" }
    if let total {
      parts.append("\(HumanNumber.text(done, unit))/\(HumanNumber.text(total, unit))\(name)")
      if total > 0 {
        let percent = (Double(done) / Double(total) * 100).rounded(.down)
        parts.append("\(Int(min(max(percent, 0), 100))) %")
      }
    } else {
      parts.append(HumanNumber.text(done, unit) + name)
    }
    if elapsed > 0 {
      let rate = Double(done) / (Double(elapsed) / 1e9)
      parts.append("\(HumanNumber.text(Int(exactly: rate.rounded()) ?? .max, unit))\(name)/s")
    }
    return parts.joined(separator: "  ")
  }
}
