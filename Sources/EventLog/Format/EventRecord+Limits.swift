internal import Events

/// How large an event may be: the writer takes none that a reader would refuse, and a reader believes
/// nothing that the writer would not have written.
extension EventRecord {
  /// The most bytes that a record may have when it is appended.
  static let largestByteCount = 256 << 20

  /// The most bytes that an event's texts may have when they are read back, each for itself.
  static let largestTextByteCount = 512 << 20

  /// The most probabilities that an event may have.
  static let largestProbabilityCount = 1 << 22

  /// Why the event is too large for a log, in words; nil when it is not.
  var excess: String? {
    if bytes.count > Self.largestByteCount {
      return "an event of \(bytes.count) bytes; the most is \(Self.largestByteCount)"
    }
    if probabilities.count > Self.largestProbabilityCount {
      return "an event of \(probabilities.count) probabilities; the most is "
        + "\(Self.largestProbabilityCount)"
    }
    // Counting is for the rare record whose slices could share their bytes often enough.
    let attributes = context.count + metadata.count + features.count
    let slices = texts.count + choices.count + changed.count + featureGroups.count + 2 * attributes
    guard slices * bytes.count > Self.largestTextByteCount else { return nil }
    let total = textByteCount
    return total <= Self.largestTextByteCount
      ? nil : "an event with texts of \(total) bytes; the most is \(Self.largestTextByteCount)"
  }

  private var textByteCount: Int {
    let lists = [texts, choices, changed, featureGroups.map(\.variant)]
    var total = lists.joined().reduce(0) { $0 + $1.range.count }
    for attribute in [context, metadata, features].joined() {
      total += attribute.name.range.count
      if case .text(let slice) = attribute.value { total += slice.range.count }
    }
    return total
  }

  /// Copies a text into the record: a name takes its code's few bits in the log but all of its bytes here,
  /// so a row could otherwise ask for more memory than there is.
  mutating func addBounded(_ text: ArraySlice<UInt8>) throws(ColumnError) -> Slice {
    guard bytes.count + text.count <= Self.largestTextByteCount else {
      throw ColumnError("an event of more than \(Self.largestTextByteCount) bytes")
    }
    return add(text)
  }
}
