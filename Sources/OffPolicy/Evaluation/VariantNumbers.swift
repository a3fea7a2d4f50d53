internal import EventLog

/// Dense numbers of the variants that an evaluation meets, in the bytewise order of their names, so that they are the
/// same for all parts of a log.
struct VariantNumbers: Sendable {
  /// The codes by their numbers.
  let codes: [UInt32]
  private let numbers: [UInt32: Int]

  init(_ codes: Set<UInt32>, _ log: LogNames) {
    let keys = codes.map { (code: $0, name: log.bytes($0, in: .variants).map(Array.init) ?? []) }
    let sorted = keys.sorted { a, b in
      a.name == b.name ? a.code < b.code : a.name.lexicographicallyPrecedes(b.name)
    }
    self.codes = sorted.map(\.code)
    numbers = Dictionary(
      sorted.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of a variant; the number of all variants for one that was not met.
  func number(of code: UInt32) -> Int { numbers[code] ?? codes.count }
}
