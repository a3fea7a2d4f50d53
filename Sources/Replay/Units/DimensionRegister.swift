internal import Events

/// Gives the values of a dimension dense indices, in order of first appearance; index 0 is of what is not known.
struct DimensionRegister: Sendable {
  /// A value before its name is looked up.
  enum Raw: Hashable, Sendable {
    case unknown
    /// Code of a policy or reason.
    case name(UInt32)
    /// Days since 1970-01-01.
    case day(Int64)
    case text(String)
  }

  private(set) var values: [Raw] = [.unknown]
  private var indices: [Raw: UInt32] = [.unknown: 0]
  private var last: (raw: Raw, index: UInt32) = (.unknown, 0)

  mutating func index(of raw: Raw) -> UInt32 {
    if last.raw == raw { return last.index }
    let index = indices[raw] ?? UInt32(values.count)
    if index == values.count {
      values.append(raw)
      indices[raw] = index
    }
    last = (raw, index)
    return index
  }

  mutating func index(ofName code: UInt32) -> UInt32 {
    index(of: code == 0 ? .unknown : .name(code))
  }

  mutating func index(ofDay time: Int64) -> UInt32 {
    let day = time >= 0 ? time / Self.day : (time + 1) / Self.day - 1
    return index(of: .day(day))
  }

  private static let day: Int64 = 86_400_000_000
}
