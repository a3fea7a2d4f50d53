internal import EventLog
package import Events
internal import Specifications

/// Assigns dense indices to the values of a dimension, in order of first appearance; index 0 is unknown.
package struct DimensionRegister: Sendable {
  /// A value whose name has not been looked up.
  enum Raw: Hashable, Sendable {
    case unknown
    /// The code of a policy or reason.
    case name(UInt32)
    /// Days since 1970-01-01.
    case day(Int64)
    case text(NameKey)

    /// Returns the value, with codes resolved to names.
    func value(_ names: (UInt32) -> String?) -> DimensionValue {
      switch self {
      case .unknown: .unknown
      case .name(let code): names(code).map(DimensionValue.text) ?? .unknown
      case .day(let day):
        .text(DayCalendar.date(ofDay: day))
      case .text(let name): .text(name.text)
      }
    }
  }

  private var register = Register<Raw>([.unknown])
  private var last: (raw: Raw, index: UInt32) = (.unknown, 0)

  /// The values by their indices.
  var values: [Raw] { register.values }

  mutating func index(of raw: Raw) -> UInt32 {
    if last.raw == raw { return last.index }
    let index = register.index(of: raw)
    last = (raw, index)
    return index
  }

  mutating func index(ofName code: UInt32) -> UInt32 {
    index(of: code == 0 ? .unknown : .name(code))
  }

  /// Returns the index of a row's value of the attribute at a place among those of the batch.
  mutating func index(of batch: EventBatch, _ row: Int, attribute: Int) -> UInt32 {
    let code = batch.attributes[attribute].codes[row]
    guard code != 0 else { return 0 }
    let count = UInt32(truncatingIfNeeded: batch.attributes.count)
    return register.index(ofNumber: code &* count &+ UInt32(truncatingIfNeeded: attribute)) {
      batch.attributes[attribute].value(code).map { .text(NameKey(Self.text($0))) } ?? .unknown
    }
  }

  /// Forgets the numbers of values in the current batch, because the next batch numbers them anew.
  mutating func beginBatch() { register.beginBatch() }

  package static func text(_ value: AttributeValue) -> String {
    switch value {
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }
  }

  mutating func index(ofDay day: Int64) -> UInt32 { index(of: .day(day)) }
}
