internal import Events

/// Limits on the size of an event: the writer accepts no event that a reader would refuse, and a reader refuses
/// anything that the writer would not have written.
extension EventRecord {
  /// The maximum size of an appended record in bytes.
  static let largestByteCount = 256 << 20

  /// The maximum size of each text of an event that is read, in bytes.
  static let largestTextByteCount = 512 << 20

  /// The maximum number of probabilities of an event.
  static let largestProbabilityCount = 1 << 22

  /// The reason why the event is too large for a log; nil if it is not.
  var excess: String? {
    if bytes.count > Self.largestByteCount {
      return "an event of \(bytes.count) bytes; the maximum is \(Self.largestByteCount)"
    }
    if hasProbabilities, probabilities.count > Self.largestProbabilityCount {
      return "an event of \(probabilities.count) probabilities; the maximum is "
        + "\(Self.largestProbabilityCount)"
    }
    // Counting is only needed for a rare record whose slices could share their bytes often enough. A list that is not
    // given may be in distant memory, left from another event.
    var slices = texts.count
    if hasChoices { slices += choices.count }
    if hasChanged { slices += changed.count }
    if hasContext { slices += 2 * context.count }
    if hasMetadata { slices += 2 * metadata.count }
    if hasFeatures { slices += featureGroups.count + 2 * features.count }
    guard slices * bytes.count > Self.largestTextByteCount else { return nil }
    let total = textByteCount
    return total <= Self.largestTextByteCount
      ? nil : "an event with texts of \(total) bytes; the maximum is \(Self.largestTextByteCount)"
  }

  private var textByteCount: Int {
    let lists = [choices, changed, featureGroups.map(\.variant)]
    var total = lists.joined().reduce(0) { $0 + $1.range.count }
    for index in texts.indices { total += texts[index].range.count }
    for attribute in [context, metadata, features].joined() {
      total += attribute.name.range.count
      if case .text(let slice) = attribute.value { total += slice.range.count }
    }
    return total
  }

  /// Copies a text into the record, within a limit: a name takes its code's few bits in the log but all of its bytes
  /// here, so a row could otherwise require more memory than there is.
  mutating func addBounded(_ text: ArraySlice<UInt8>) throws(ColumnError) -> Slice {
    guard bytes.count + text.count <= Self.largestTextByteCount else {
      throw ColumnError("an event of more than \(Self.largestTextByteCount) bytes")
    }
    return add(text)
  }
}
