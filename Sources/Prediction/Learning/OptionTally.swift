/// The takes of options, by codes that identify them across units.
///
/// - Complexity: memory O(options); a look-up is O(1).
public struct OptionTally: OptionPool {
  private var counts = CodeMap<Int>()

  /// Creates an empty tally.
  public init() {}

  /// The takes of the option with the code.
  public subscript(_ code: UInt64?) -> Int {
    code.flatMap { counts.number(of: $0) }.map { counts.values[$0] } ?? 0
  }

  /// Counts a take of the option with the code.
  public mutating func add(_ code: UInt64) {
    counts.change(code, orAdd: 0) { $0 = $0.addingCount(1) }
  }

  /// Updates expected shares of takes by the counts of the present options.
  ///
  /// The result is (count + strength × expected share) ÷ (count of all present options + strength): the posterior
  /// mean of a Dirichlet distribution.
  ///
  /// - Parameters:
  ///   - shares: The expected share of each option, which sum to 1; replaced by the updated ones.
  ///   - situation: Names the present options.
  ///   - strength: The number of takes that the expected shares are worth; not negative.
  /// - Returns: The takes of present options; if it is 0, the shares are unchanged.
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
      let code = UInt64(bitPattern: list[place])
      guard place + 1 < list.count, let count = Int(exactly: list[place + 1]), count > 0,
        counts.number(of: code) == nil
      else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath, debugDescription: "is no list of codes and counts"))
      }
      counts.change(code, orAdd: 0) { $0 = count }
    }
  }

  /// Encodes a flat list of codes and counts, ascending by code.
  public func encode(to encoder: any Encoder) throws {
    try counts.sorted.flatMap { [Int64(bitPattern: $0.code), Int64($0.value)] }.encode(to: encoder)
  }
}
