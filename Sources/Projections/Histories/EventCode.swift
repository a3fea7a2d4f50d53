internal import Replay
internal import Specifications

/// The encoding of a unit's events, in log order:
///
///     event  = flags:byte, time?, subject, experiment?, number?
///     flags  = kind, + 16 if there is a number, + 32 for a negative conversion or a short propensity,
///              + 64 × form
///     time   = microseconds since the event before; the first event has none
///     form   = 0: no number (NaN), 1: a whole number, 2: hundredths, 3: its eight bytes;
///              of a short propensity 1: thousandths, 2: millionths, 3: one over a whole number
///
/// Only goals have an experiment: that of a decision is its arm's.
enum EventCode {
  private static let hasNumber: UInt8 = 16
  private static let isNegative: UInt8 = 32
  /// Only conversions can be negative: for decisions, the bit marks a short propensity.
  private static let isShort: UInt8 = 32

  static func write(_ events: Span<UnitEvent>, to writer: inout StateWriter) {
    for index in 0..<events.count {
      let event = events[index]
      var (form, scaled) = number(event.number)
      var marks = event.hasNumber ? hasNumber : 0
      if event.kind.isDecision {
        if form == 3, let short = short(event.number) {
          (form, scaled) = short
          marks |= isShort
        }
      } else if event.isNegative {
        marks |= isNegative
      }
      writer.write(byte: event.kind.rawValue | marks | form << 6)
      if index > 0 { writer.write(signed: event.time &- events[index - 1].time) }
      writer.write(UInt64(event.subject))
      if hasExperiment(event.kind) { writer.write(UInt64(event.experiment)) }
      switch form {
      case _ where event.kind.isDecision && marks & isShort != 0:
        writer.write(UInt64(bitPattern: scaled))
      case 1, 2: writer.write(signed: scaled)
      case 3: writer.write(event.number)
      default: break
      }
    }
  }

  /// Reads events to the end of the reader.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  static func read(
    _ reader: inout StateReader, unit: UInt32, first: Int64, arms: [Arm],
    into events: inout [UnitEvent]
  ) throws(StateError) {
    var time = first
    var isFirst = true
    while !reader.isAtEnd {
      let flags = try reader.readByte()
      guard let kind = UnitEvent.Kind(rawValue: flags & 15),
        kind.rawValue <= UnitEvent.Kind.goalPlace.rawValue
      else {
        throw StateError("an event of an unknown kind")
      }
      if !isFirst { time &+= try reader.readSigned() }
      isFirst = false
      let ofArm = kind.isDecision || kind == .confirmation || kind == .goalPlace
      let subject = try reader.readCount(below: ofArm ? arms.count : 1 << 32)
      let experiment =
        hasExperiment(kind)
        ? UInt32(try reader.readCount(below: 1 << 32)) : ofArm ? arms[subject].experiment : 0
      let isShort = kind.isDecision && flags & isShort != 0
      let number =
        isShort ? try readShort(flags >> 6, &reader) : try readNumber(flags >> 6, &reader)
      events.append(
        UnitEvent(
          time: time, number: number, unit: unit, experiment: experiment, subject: UInt32(subject),
          kind: kind, hasNumber: flags & hasNumber != 0,
          isNegative: !kind.isDecision && flags & isNegative != 0))
    }
  }

  private static func hasExperiment(_ kind: UnitEvent.Kind) -> Bool {
    kind == .goal || kind == .refusedGoal
  }

  /// Returns the form of a number and its scaled value.
  private static func number(_ number: Double) -> (form: UInt8, scaled: Int64) {
    if number.bitPattern == Double.nan.bitPattern { return (0, 0) }
    // All bits must round-trip, including the sign of a zero.
    if let whole = Int64(exactly: number), Double(whole).bitPattern == number.bitPattern {
      return (1, whole)
    }
    let scaled = (number * 100).rounded()
    if let hundredths = Int64(exactly: scaled), abs(scaled) < 1e15,
      (Double(hundredths) / 100).bitPattern == number.bitPattern
    {
      return (2, hundredths)
    }
    return (3, 0)
  }

  /// Returns the form of a propensity in fewer than eight bytes; nil if there is none.
  private static func short(_ number: Double) -> (form: UInt8, scaled: Int64)? {
    guard number > 1e-9, number < 1 else { return nil }
    for (form, scale) in [(1, 1e3), (2, 1e6)] as [(UInt8, Double)] {
      let scaled = (number * scale).rounded()
      if scaled / scale == number { return (form, Int64(scaled)) }
    }
    let inverse = (1 / number).rounded()
    return 1 / inverse == number ? (3, Int64(inverse)) : nil
  }

  private static func readShort(
    _ form: UInt8, _ reader: inout StateReader
  ) throws(StateError) -> Double {
    let number = Double(try reader.readCount(below: 1 << 32))
    switch form {
    case 1: return number / 1e3
    case 2: return number / 1e6
    case 3 where number > 0: return 1 / number
    default: throw StateError("a propensity of an unknown form")
    }
  }

  private static func readNumber(
    _ form: UInt8, _ reader: inout StateReader
  ) throws(StateError) -> Double {
    switch form {
    case 0: .nan
    case 1: Double(try reader.readSigned())
    case 2: Double(try reader.readSigned()) / 100
    default: try reader.readDouble()
    }
  }
}
