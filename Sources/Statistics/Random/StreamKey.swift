/// A 128-bit key that names one random stream, derived from a seed and any number of labels.
///
/// Two keys are equal if they were derived from the same seed and the same labels in the same order, on every machine
/// and in every run; Swift's `Hasher` is not involved. Different labels give different keys but for an accidental
/// collision, expected among about 2⁶⁴ streams: the encoding of labels is unambiguous (`["ab", "c"]`, `["a", "bc"]` and
/// `["ab"], 99` all differ), and each word goes through two lanes that differ in their mixing.
///
/// A text is encoded as a word with its length in UTF-8 bytes, tagged as text, then its bytes in little-endian words,
/// padded with zeros; a number as a tag and the number. For each word `w`, with `mix` the finalizer of ``SplitMix64``,
/// the lanes become `mix(first ^ w) + 0x9E3779B97F4A7C15` and `mix(second + rotated w by 32) ^ 0xD1B54A32D192ED03`.
public struct StreamKey: Sendable, Hashable {
  /// One half of the key.
  public private(set) var first: UInt64

  /// The other half of the key.
  public private(set) var second: UInt64

  /// Creates the key of a seed without labels.
  public init(seed: UInt64) {
    (first, second) = (0x2545_F491_4F6C_DD1D, 0x9FB2_1C65_1E98_DF25)
    absorb(word: seed)
  }

  /// Adds a number to the name of the stream, such as the number of a run.
  public mutating func add(_ number: UInt64) {
    absorb(word: 1)
    absorb(word: number)
  }

  /// Adds a text to the name of the stream, by its UTF-8 bytes.
  ///
  /// - Complexity: O(length of the text).
  public mutating func add(_ text: String) {
    absorb(word: 2 | UInt64(text.utf8.count) << 8)
    var (word, shift) = (0 as UInt64, 0 as UInt64)
    for byte in text.utf8 {
      word |= UInt64(byte) << shift
      shift += 8
      if shift == 64 {
        absorb(word: word)
        (word, shift) = (0, 0)
      }
    }
    if shift > 0 { absorb(word: word) }
  }

  private mutating func absorb(word: UInt64) {
    let rotated = word &<< 32 | word &>> 32
    first = SplitMix64.mix(first ^ word) &+ SplitMix64.increment
    second = SplitMix64.mix(second &+ rotated) ^ 0xD1B5_4A32_D192_ED03
  }
}
