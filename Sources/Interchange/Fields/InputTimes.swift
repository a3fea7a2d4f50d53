public import Events

/// What the times of an input's records so far say of those to come: the unit of its numbers, and the last time.
struct InputTimes: Sendable {
  /// What a time is read for. Each has a unit of its own.
  enum Purpose {
    /// The time of the record.
    case record
    /// The time at which it was received.
    case receipt
    /// The time of an event of a mapping, by its number.
    case event(Int)

    fileprivate var place: Int {
      switch self {
      case .record: 0
      case .receipt: 1
      case .event(let number): number
      }
    }
  }

  private var readers: [FieldTimes] = []
  /// The last time that a format keeps; nil if there is none, or none in the piece that is read.
  var last: Timestamp?
  /// Whether the records before those that are read are known.
  private var isWhole = true
  /// Whether the last time before the piece that is read was asked for.
  private var isMissed = false

  /// Returns the last time, which a record without one is given.
  mutating func lastTime() -> Timestamp? {
    if last == nil, !isWhole { isMissed = true }
    return last
  }

  /// What is known at the start of a piece of the input, of which others before it are still being read.
  var ofPiece: InputTimes {
    var piece = self
    (piece.last, piece.isWhole, piece.isMissed) = (nil, false, false)
    return piece
  }

  /// Continues behind a piece that was read at the same time as those before it.
  ///
  /// - Parameters:
  ///   - start: What was known when reading it began.
  ///   - end: What was known at its end.
  /// - Returns: Whether it would have been read alike behind all before it; otherwise nothing changes.
  mutating func continueBehind(_ start: InputTimes, _ end: InputTimes) -> Bool {
    guard !end.isMissed else { return false }
    for place in end.readers.indices {
      let unit = end.readers[place].unit
      guard unit == nil || unit == self.unit(at: place) || start.unit(at: place) == self.unit(at: place) else {
        return false
      }
    }
    for place in end.readers.indices where end.readers[place].unit != nil { put(end.readers[place], at: place) }
    last = end.last ?? last
    return true
  }

  private func unit(at place: Int) -> FieldTimes.Unit? { place < readers.count ? readers[place].unit : nil }

  fileprivate mutating func take(_ purpose: Purpose) -> FieldTimes {
    var reader = FieldTimes()
    if purpose.place < readers.count { swap(&reader, &readers[purpose.place]) }
    return reader
  }

  fileprivate mutating func put(_ reader: FieldTimes, at place: Int) {
    while readers.count <= place { readers.append(FieldTimes()) }
    readers[place] = reader
  }
}

extension FieldTree {
  /// Returns the time in a field, in the notation of the input's other times: see ``FieldTimes``.
  ///
  /// - Throws: ``Rejection`` `time` if there is no field, it is not a time, or it is a number of another unit than the
  ///   first.
  public mutating func time(
    _ field: Field?, named name: @autoclosure () -> String = "time"
  ) throws(Rejection) -> Timestamp {
    try time(field, for: .record, named: name())
  }

  /// Returns the time at which a record was received; nil if there is no field, or it is not a time.
  mutating func receivedTime(_ field: Field?) -> Timestamp? {
    guard let field else { return nil }
    return try? time(field, for: .receipt)
  }

  mutating func time(
    _ field: Field?, for purpose: InputTimes.Purpose, named name: @autoclosure () -> String = "time"
  ) throws(Rejection) -> Timestamp {
    var reader = times.take(purpose)
    defer { times.put(reader, at: purpose.place) }
    return try reader.read(field, of: self, named: name())
  }
}
