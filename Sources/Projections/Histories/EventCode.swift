internal import Replay
internal import Statistics

/// The bytes of a unit's events, in the order in which they came:
///
///     event  = flags:byte, time?, subject, experiment?, number?
///     flags  = kind, + 16 where a number was given, + 32 for a conversion that takes one back, + 64 × form
///     time   = microseconds since the event before; the first event has none
///     form   = 0: no number (NaN), 1: a whole number, 2: hundredths, of propensities ten-thousandths, 3: its eight bytes
///
/// Only goals have an experiment: that of a decision is its arm's.
enum EventCode {
  private static let hasNumber: UInt8 = 16
  private static let isNegative: UInt8 = 32

  static func write(_ events: Span<UnitEvent>, to writer: inout StateWriter) {
    for index in 0..<events.count {
      let event = events[index]
      let (form, scaled) = number(event.number, event.kind)
      writer.write(
        byte: event.kind.rawValue | (event.hasNumber ? hasNumber : 0)
          | (event.isNegative ? isNegative : 0) | form << 6)
      if index > 0 { writer.write(signed: event.time &- events[index - 1].time) }
      writer.write(UInt64(event.subject))
      if hasExperiment(event.kind) { writer.write(UInt64(event.experiment)) }
      switch form {
      case 1, 2: writer.write(signed: scaled)
      case 3: writer.write(event.number)
      default: break
      }
    }
  }

  /// Reads events to the end of the reader.
  ///
  /// - Throws: `StateError` when the bytes are none.
  static func read(
    _ reader: inout StateReader, unit: UInt32, first: Int64, arms: [Arm],
    into events: inout [UnitEvent]
  ) throws(StateError) {
    var time = first
    var isFirst = true
    while !reader.isAtEnd {
      let flags = try reader.readByte()
      guard let kind = UnitEvent.Kind(rawValue: flags & 15) else {
        throw StateError("an event of an unknown kind")
      }
      if !isFirst { time &+= try reader.readSigned() }
      isFirst = false
      let ofArm = kind.isDecision || kind == .confirmation
      let subject = try reader.readCount(below: ofArm ? arms.count : 1 << 32)
      let experiment =
        hasExperiment(kind)
        ? UInt32(try reader.readCount(below: 1 << 32)) : ofArm ? arms[subject].experiment : 0
      events.append(
        UnitEvent(
          time: time, number: try readNumber(flags >> 6, kind, &reader), unit: unit,
          experiment: experiment, subject: UInt32(subject), kind: kind,
          hasNumber: flags & hasNumber != 0, isNegative: flags & isNegative != 0))
    }
  }

  private static func hasExperiment(_ kind: UnitEvent.Kind) -> Bool {
    kind == .goal || kind == .refusedGoal
  }

  /// Values and revenues are amounts of money, propensities shares.
  private static func scale(_ kind: UnitEvent.Kind) -> Double { kind.isDecision ? 10_000 : 100 }

  /// How a number is written, and as what.
  private static func number(
    _ number: Double, _ kind: UnitEvent.Kind
  ) -> (form: UInt8, scaled: Int64) {
    if number.bitPattern == Double.nan.bitPattern { return (0, 0) }
    // All bits must come back, the sign of a zero too.
    if let whole = Int64(exactly: number), Double(whole).bitPattern == number.bitPattern {
      return (1, whole)
    }
    let scale = scale(kind)
    let scaled = (number * scale).rounded()
    if let whole = Int64(exactly: scaled), abs(scaled) < 1e15,
      (Double(whole) / scale).bitPattern == number.bitPattern
    {
      return (2, whole)
    }
    return (3, 0)
  }

  private static func readNumber(
    _ form: UInt8, _ kind: UnitEvent.Kind, _ reader: inout StateReader
  ) throws(StateError) -> Double {
    switch form {
    case 0: .nan
    case 1: Double(try reader.readSigned())
    case 2: Double(try reader.readSigned()) / scale(kind)
    default: try reader.readDouble()
    }
  }
}
