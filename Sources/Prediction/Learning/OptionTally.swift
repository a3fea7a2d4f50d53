/// The takes of options, by codes that identify them across units.
///
/// - Complexity: memory O(options); a look-up is O(1).
public struct OptionTally: OptionPool {
  private var counts = CodeMap<Int>()

  /// Creates an empty tally.
  public init() {}

  /// The takes of the option with the code.
  public subscript(_ code: UInt64?) -> Int { code.map { count(of: $0) } ?? 0 }

  @inline(__always)
  private func count(of code: UInt64) -> Int {
    guard let number = counts.number(of: code) else { return 0 }
    return counts.values[number]
  }

  /// Counts a take of the option with the code.
  @inline(__always)
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
  ///   - start: The place of the share of the first option.
  ///   - situation: Names the present options.
  ///   - strength: The number of takes that the expected shares are worth; not negative.
  /// - Returns: The takes of present options; if it is 0, the shares are unchanged.
  func refine(
    _ shares: inout MutableSpan<Double>, from start: Int = 0, in situation: Situation,
    strength: Double
  ) -> Double {
    var total = 0.0
    // The counts of the first options, which are usually all, so that they are looked up once.
    var known = InlineArray<16, Double>(repeating: 0)
    let options = situation.options.span
    let present = shares.count - start
    for option in 0..<present {
      let takes = option < options.count ? Double(count(of: options[option])) : 0
      if option < known.count { known[option] = takes }
      total += takes
    }
    guard total > 0 else { return 0 }
    for option in 0..<present {
      let takes = option < known.count ? known[option] : Double(self[situation.code(at: option)])
      shares[start + option] = (takes + strength * shares[start + option]) / (total + strength)
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
        throw decoder.damaged("is no list of codes and counts")
      }
      counts.change(code, orAdd: 0) { $0 = count }
    }
  }

  /// Encodes a flat list of codes and counts, ascending by code.
  public func encode(to encoder: any Encoder) throws {
    try counts.sorted.flatMap { [Int64(bitPattern: $0.code), Int64($0.value)] }.encode(to: encoder)
  }
}
