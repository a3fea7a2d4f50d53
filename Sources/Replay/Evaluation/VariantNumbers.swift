/// Dense numbers of the variants that an evaluation meets, in the order of their codes.
struct VariantNumbers: Sendable {
  /// The codes by their numbers, ascending.
  let codes: [UInt32]
  private let numbers: [UInt32: Int]

  init(_ codes: Set<UInt32>) {
    let sorted = codes.sorted()
    self.codes = sorted
    numbers = Dictionary(
      sorted.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of a variant; the number of all variants for one that was not met.
  func number(of code: UInt32) -> Int { numbers[code] ?? codes.count }
}
