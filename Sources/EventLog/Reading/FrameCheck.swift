/// Checks every byte of a frame: header, directory and trailer against what was found when the log was opened, each
/// chunk against its checksum, and that the padding between them is zero.
struct FrameCheck {
  let file: any DiskFile
  let frame: FrameInfo

  /// An error in a frame.
  struct Problem {
    var offset: UInt64
    var reason: String
  }

  func isWhole() throws(LogError) -> Bool {
    var bytes = CheckedBytes(file, limit: frame.endOffset)
    return try problems(&bytes, stopAtFirst: true).isEmpty
  }

  /// Returns the errors, in the order of the bytes.
  func problems(
    _ bytes: inout CheckedBytes, stopAtFirst: Bool = false
  ) throws(LogError) -> [Problem] {
    var problems = try ownProblems(&bytes)
    var covered = UInt64(frame.header.metaLength)
    for entry in frame.entries.sorted(by: { $0.offset < $1.offset }) {
      if stopAtFirst, !problems.isEmpty { return problems }
      let start = UInt64(entry.offset)
      let end = start + UInt64(entry.storedLength)
      try requireZero(from: covered, to: start, &bytes, &problems)
      if try bytes.checksum(frame.offset + start..<frame.offset + end) != entry.crc {
        problems.append(
          Problem(
            offset: frame.offset + start,
            reason: "column \(entry.column.name) of the events \(frame.basePosition) to "
              + "\(frame.lastPosition) is damaged"))
      }
      covered = max(covered, end)
    }
    try requireZero(from: covered, to: trailerStart, &bytes, &problems)
    return problems + (try trailerProblems(&bytes))
  }

  /// The offset of the trailer from the start of the frame.
  private var trailerStart: UInt64 {
    UInt64(frame.header.length) - UInt64(FrameHeader.trailerByteCount)
  }

  private func requireZero(
    from start: UInt64, to end: UInt64, _ bytes: inout CheckedBytes, _ problems: inout [Problem]
  ) throws(LogError) {
    guard start < end, try !bytes.isZero(frame.offset + start..<frame.offset + end) else { return }
    problems.append(Problem(offset: frame.offset + start, reason: "padding is not zero"))
  }

  /// Returns the errors in header and directory, which were valid when the log was opened.
  private func ownProblems(_ bytes: inout CheckedBytes) throws(LogError) -> [Problem] {
    let events = "of the events \(frame.basePosition) to \(frame.lastPosition)"
    let header = frame.header.bytes
    let directory =
      frame.offset + UInt64(header.count)..<frame.offset + UInt64(frame.header.metaLength - 8)
    guard try bytes.take(frame.offset..<directory.lowerBound) == header else {
      return [Problem(offset: frame.offset, reason: "the header \(events) has changed")]
    }
    let crc = try bytes.checksum(directory) ?? 0
    var expected: [UInt8] = []
    expected.appendLittleEndian(crc)
    expected.appendLittleEndian(0 as UInt32)
    let check = FrameWriter.check(
      header: Checksum.crc32c(header.dropLast(4)), directory: crc, entries: frame.entries)
    guard check == frame.check,
      try bytes.take(directory.upperBound..<directory.upperBound + 8) == expected
    else {
      return [Problem(offset: directory.lowerBound, reason: "the directory \(events) has changed")]
    }
    return []
  }

  /// Returns the errors in the trailer.
  private func trailerProblems(_ bytes: inout CheckedBytes) throws(LogError) -> [Problem] {
    var expected: [UInt8] = []
    expected.appendLittleEndian(frame.header.length)
    expected.appendLittleEndian(frame.check)
    expected.appendLittleEndian(frame.header.rows)
    expected.appendLittleEndian(FrameHeader.trailerMagic)
    let start = frame.offset + trailerStart
    if try bytes.take(start..<frame.endOffset) == expected { return [] }
    return [
      Problem(
        offset: start,
        reason: "the end of the events \(frame.basePosition) to \(frame.lastPosition) has changed")
    ]
  }
}
