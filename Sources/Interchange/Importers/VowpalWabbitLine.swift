internal import Events

/// A line of Vowpal Wabbit's text format: what stands before the first vertical bar, and the features behind it.
struct VowpalWabbitLine {
  /// The kinds of lines.
  enum Kind {
    /// An action, or an event of its own.
    case plain
    /// The features that all actions share.
    case shared
    /// The features that all actions of an event with slots share.
    case slotShared
    /// An action of an event with slots.
    case slotAction
    /// A slot.
    case slot
    /// A line of an event that is not imported: a slate or a continuous action.
    case other
  }

  /// The kind.
  private(set) var kind = Kind.plain
  /// The words before the bar, without the tag.
  private(set) var words: [Range<Int>] = []
  /// The tag; nil if there is none.
  private(set) var tag: Range<Int>?
  /// The features, from the first bar on.
  let features: Range<Int>

  init(_ text: ArraySlice<UInt8>) {
    let bar = text.firstIndex(of: UInt8(ascii: "|")) ?? text.endIndex
    features = bar..<text.endIndex
    words = Self.words(text[..<bar])
    if let last = words.last {
      let hasQuote = text[last.lowerBound] == UInt8(ascii: "'")
      let isKeyword = Self.keywords.contains { $0.elementsEqual(text[last]) }
      if hasQuote || (last.upperBound == bar && bar < text.endIndex && !isKeyword) {
        tag = hasQuote ? last.dropFirst() : last
        words.removeLast()
      }
    }
    kind = Self.kind(of: words, text)
  }

  private static let keywords = ["shared", "ccb", "action", "slot"].map { Array($0.utf8) }

  private static func kind(of words: [Range<Int>], _ text: ArraySlice<UInt8>) -> Kind {
    func isWord(_ index: Int, _ name: String) -> Bool {
      index < words.count && text[words[index]].elementsEqual(name.utf8)
    }
    if isWord(0, "shared") { return .shared }
    if isWord(0, "ccb") {
      if isWord(1, "shared") { return .slotShared }
      if isWord(1, "action") { return .slotAction }
      return isWord(1, "slot") ? .slot : .other
    }
    return isWord(0, "slates") || isWord(0, "ca") ? .other : .plain
  }

  /// Returns the words between spaces and tabs.
  static func words(_ text: ArraySlice<UInt8>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for index in text.indices {
      let isSpace = text[index] == 0x20 || text[index] == 0x09
      if isSpace, let first = start {
        words.append(first..<index)
        start = nil
      } else if !isSpace, start == nil {
        start = index
      }
    }
    if let start { words.append(start..<text.endIndex) }
    return words
  }
}

/// A label `action:cost:probability`, of which only the action is required.
struct VowpalWabbitLabel {
  /// The action, as written.
  let action: ArraySlice<UInt8>
  /// The cost; nil if the action was not chosen.
  var cost: Double?
  /// The probability of the choice.
  var probability: Double?

  init(_ word: ArraySlice<UInt8>) throws(Rejection) {
    let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 3, Self.isWhole(parts[0]) else { throw Self.malformed(word) }
    action = parts[0]
    if parts.count > 1 { cost = try Self.number(parts[1], word) }
    if parts.count > 2 { probability = try Self.number(parts[2], word) }
  }

  static func isWhole(_ text: ArraySlice<UInt8>) -> Bool {
    !text.isEmpty && text.count <= 9 && text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// Returns a whole number of at most nine digits; nil for anything else.
  static func whole(_ text: ArraySlice<UInt8>) -> Int? {
    isWhole(text) ? text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : nil
  }

  static func number(
    _ text: ArraySlice<UInt8>, _ word: ArraySlice<UInt8>
  ) throws(Rejection) -> Double {
    guard let number = JSONNumber.double(of: text.span) else { throw malformed(word) }
    return number
  }

  static func malformed(_ word: ArraySlice<UInt8>) -> Rejection {
    Rejection(
      .event,
      "the label \"\(String(decoding: word.prefix(40), as: UTF8.self))\" must be like 2:0.5:0.25, action, cost and "
        + "probability")
  }
}
