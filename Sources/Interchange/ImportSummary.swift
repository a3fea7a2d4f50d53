/// What an import did, over all of its inputs.
public struct ImportSummary: Hashable, Sendable {
  /// How many records were read, rejected ones included and blank lines not.
  public var recordsRead: Int64 = 0
  /// How many events went into the log.
  public var eventsAppended: Int64 = 0
  /// How many events the log had already.
  public var alreadyThere: Int64 = 0
  /// How many empty lines were passed over.
  public var blankLines: Int64 = 0
  /// How many bytes of the files were read, compressed ones where they are gzip.
  public var fileBytes: Int64 = 0
  /// How many bytes of uncompressed text that was.
  public var textBytes: Int64 = 0

  private var rejectedByCategory: [RejectionCategory: Int64] = [:]

  /// Nothing done.
  public init() {}

  /// How many records were rejected.
  public var rejected: Int64 { rejectedByCategory.values.reduce(0, +) }

  /// How many records were rejected for each kind of reason, sorted by its words; those that did not
  /// occur are left out.
  public var rejections: [(category: RejectionCategory, count: Int64)] {
    rejectedByCategory.sorted { $0.key < $1.key }.map { (category: $0.key, count: $0.value) }
  }

  mutating func reject(_ category: RejectionCategory) {
    rejectedByCategory[category, default: 0] += 1
  }
}
