/// The last takes of a unit in a study, by the codes of the options, with a code for each number of them.
///
/// They begin anew when the study is defined, and when its last option is removed.
///
/// - Complexity: memory 88 bytes.
public struct RecentTakes: Sendable {
  /// The largest number of takes.
  public static let most = 4

  /// The number of takes.
  public private(set) var count = 0
  /// The codes, the oldest take first.
  private var codes = InlineArray<4, UInt64>(repeating: 0)
  /// By number of takes, the code of the last ones.
  private var keys = InlineArray<5, UInt64>(repeating: 0)

  /// Creates an empty list.
  public init() {}

  /// Appends a take, and drops the oldest ones beyond a number of them.
  ///
  /// - Complexity: O(length²).
  @inline(__always)
  mutating func append(_ code: UInt64, keeping length: Int) {
    let length = min(length, Self.most)
    guard length > 0 else { return }
    if count >= length {
      for place in 1..<count { codes[place - 1] = codes[place] }
      count -= 1
    }
    add(code)
    findKeys()
  }

  /// Appends a take to fewer than ``most``; ``findKeys()`` must follow.
  @inline(__always)
  mutating func add(_ code: UInt64) {
    codes[count] = code
    count += 1
  }

  /// Computes the codes of the last takes of each number.
  @inline(__always)
  mutating func findKeys() {
    for length in 1..<count + 1 {
      var key = UInt64(length)
      for place in count - length..<count { key = Feature.code(key, codes[place]) }
      keys[length] = key
    }
  }

  /// The code of the option taken last, the one before it, and so on, numbered from 0; nil if there were no more.
  public subscript(_ ago: Int) -> UInt64? {
    ago >= 0 && ago < count ? codes[count - 1 - ago] : nil
  }

  /// Returns the code of the last takes of a number that is not above ``count``.
  @inline(__always)
  func key(_ length: Int) -> UInt64 { keys[length] }
}

extension RecentTakes: Equatable {
  public static func == (a: RecentTakes, b: RecentTakes) -> Bool {
    a.count == b.count && (0..<a.count).allSatisfy { a.codes[$0] == b.codes[$0] }
  }
}

extension RecentTakes: Codable {
  public init(from decoder: any Decoder) throws {
    let list = try [Int64](from: decoder)
    guard list.count <= Self.most else {
      throw decoder.damaged("has more than \(Self.most) takes")
    }
    for code in list { append(UInt64(bitPattern: code), keeping: Self.most) }
  }

  /// Encodes the codes, the oldest take first.
  public func encode(to encoder: any Encoder) throws {
    try (0..<count).map { Int64(bitPattern: codes[$0]) }.encode(to: encoder)
  }
}
