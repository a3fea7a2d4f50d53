/// How often options were taken, by the codes that tell them apart among all units.
///
/// - Complexity: memory O(options).
public struct OptionTally: OptionPool {
  private var counts: [UInt64: Int] = [:]

  /// Nothing was taken.
  public init() {}

  /// How often the option of that code was taken.
  public subscript(_ code: UInt64?) -> Int { code.flatMap { counts[$0] } ?? 0 }

  /// The option of that code was taken.
  public mutating func add(_ code: UInt64) {
    counts[code] = (counts[code] ?? 0).addingCount(1)
  }

  /// Writes what each present option's share of the takes is, as seen from a share expected before any.
  ///
  /// It is (count + strength × share expected) ÷ (count of all present options + strength): the mean of a
  /// Dirichlet distribution after these counts.
  ///
  /// - Parameters:
  ///   - shares: By place the shares expected before, which add up to 1; the new ones take their place.
  ///   - situation: Names the present options.
  ///   - strength: How many takes the shares expected are worth; not negative.
  /// - Returns: How often present options were taken; where it is 0 the shares are left as they are.
  func refine(_ shares: inout [Double], in situation: Situation, strength: Double) -> Double {
    var total = 0.0
    for option in shares.indices { total += Double(self[situation.code(at: option)]) }
    guard total > 0 else { return 0 }
    for option in shares.indices {
      let count = Double(self[situation.code(at: option)])
      shares[option] = (count + strength * shares[option]) / (total + strength)
    }
    return total
  }

  public init(from decoder: any Decoder) throws {
    let list = try [Int64](from: decoder)
    for place in stride(from: 0, to: list.count, by: 2) {
      guard place + 1 < list.count, let count = Int(exactly: list[place + 1]), count > 0,
        counts.updateValue(count, forKey: UInt64(bitPattern: list[place])) == nil
      else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath, debugDescription: "is no list of codes and counts"))
      }
    }
  }

  /// Writes a flat list of codes and counts, ascending by code.
  public func encode(to encoder: any Encoder) throws {
    try counts.sorted { $0.key < $1.key }
      .flatMap { [Int64(bitPattern: $0.key), Int64($0.value)] }.encode(to: encoder)
  }
}
