internal import Events

/// The choices of a decision as text, with the fallback of a call that cannot be answered.
///
/// ```text
/// single = code *("," code)                          a,b,c
/// multi  = part *("/" part)                          color:red,blue/size:sm,md,lg
/// part   = [name ":"] code *("," code) [":" dropped]
/// ```
///
/// The grammar accepts any text: empty and padded codes are kept verbatim, because the service checks codes,
/// and a call that it refuses still has its fallback. Digits are an ordinary code here; a number of choices
/// is given as a number (``init(count:)``), or as the last path segment of a URL (``init(pathSegment:)``).
public struct ChoiceText: Hashable, Sendable {
  /// The maximum number of choices that ``init(count:)`` accepts, which bounds the memory used.
  public static let maximumCount = 10_000

  /// The slots, each name once, in order of first occurrence.
  public private(set) var slots: [SlotChoices]

  /// Parses the single form: codes separated by commas, for the slot `decision-1`.
  public init(single text: String) {
    slots = [SlotChoices(choices: Self.codes(text[...]))]
  }

  /// Parses the multi form: parts separated by slashes, each a name and its codes.
  public init(multi text: String) {
    self.init(parts: Self.pieces(of: text[...], at: UInt8(ascii: "/")))
  }

  /// Parses the parts of the multi form, already separated: a slash in them is an ordinary character.
  ///
  /// A part without a colon is named `decision-N`, where N is 1 + the number of names so far. A repeated name
  /// replaces the choices of the earlier one. Text after a second colon is dropped.
  public init(parts: some Sequence<some StringProtocol>) {
    slots = []
    var places: [SlotID: Int] = [:]
    for part in parts {
      let fields = Self.pieces(of: Substring(part), at: UInt8(ascii: ":"))
      let isNamed = fields.count > 1
      let name = isNamed ? String(fields[0]) : "decision-\(slots.count + 1)"
      let choices = Self.codes(fields[isNamed ? 1 : 0])
      if let place = places[SlotID(name)] {
        slots[place].choices = choices
      } else {
        places[SlotID(name)] = slots.count
        slots.append(SlotChoices(slot: name, choices: choices))
      }
    }
  }

  /// Creates choices named `0`, `1`, `2` and so on, for the slot `decision-1`; nil when the number is not in
  /// 1 ... ``maximumCount``.
  public init?(count: Int) {
    guard (1...Self.maximumCount).contains(count) else { return nil }
    slots = [SlotChoices(choices: (0..<count).map { "\($0)" })]
  }

  /// Parses the single form as the last path segment of a URL, where digits alone are a number of choices.
  /// Nil when that number is not in 1 ... ``maximumCount``.
  public init?(pathSegment text: String) {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if isNumber {
      guard let count = Int(text) else { return nil }
      self.init(count: count)
    } else {
      self.init(single: text)
    }
  }

  /// Returns the message for an invalid number of choices.
  static func complaint(aboutCount count: Int) -> String {
    "must be a number in 1 ... \(maximumCount), not \(count)"
  }

  /// Returns the codes between the commas, at least one.
  static func codes(_ text: Substring) -> [String] {
    pieces(of: text, at: UInt8(ascii: ",")).map(String.init)
  }

  /// Returns the text between the separators, including empty pieces. It is split by bytes: a separator is
  /// recognized even in front of a combining character.
  private static func pieces(of text: Substring, at separator: UInt8) -> [Substring] {
    text.utf8.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }
  }
}
