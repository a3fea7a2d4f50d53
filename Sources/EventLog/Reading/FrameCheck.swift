/// Checks every byte of a frame against the checksums that were written with it.
struct FrameCheck {
  let file: any DiskFile
  let frame: FrameInfo

  /// What is wrong in a frame whose header, directory and trailer are right.
  struct Problem {
    var offset: UInt64
    var reason: String
  }

  func isWhole() throws(LogError) -> Bool {
    try problems(stopAtFirst: true).isEmpty
  }

  /// The columns whose bytes are not what was written, and the gaps between them that are not zero.
  func problems(stopAtFirst: Bool = false) throws(LogError) -> [Problem] {
    var problems: [Problem] = []
    let start = UInt64(frame.header.metaLength)
    let end = UInt64(frame.header.length) - UInt64(FrameHeader.trailerByteCount)
    let bytes = try file.read(at: frame.offset + start, count: Int(end - start))
    guard bytes.count == Int(end - start) else {
      return [Problem(offset: frame.offset, reason: "the file ends within the frame")]
    }
    var covered = Int(start)
    for entry in frame.entries.sorted(by: { $0.offset < $1.offset }) {
      let from = Int(entry.offset)
      let gap = covered..<max(covered, from)
      if !isZero(bytes, gap, Int(start)) {
        problems.append(
          Problem(offset: frame.offset + UInt64(covered), reason: "padding is not zero"))
      }
      let range = from - Int(start)..<from - Int(start) + Int(entry.storedLength)
      if Checksum.crc32c(bytes[range]) != entry.crc {
        problems.append(
          Problem(
            offset: frame.offset + UInt64(from),
            reason: "column \(entry.column.name) of the events \(frame.basePosition) to "
              + "\(frame.lastPosition) is damaged"))
      }
      covered = max(covered, from + Int(entry.storedLength))
      if stopAtFirst, !problems.isEmpty { return problems }
    }
    if !isZero(bytes, covered..<max(covered, Int(end)), Int(start)) {
      problems.append(
        Problem(offset: frame.offset + UInt64(covered), reason: "padding is not zero"))
    }
    return problems
  }

  private func isZero(_ bytes: [UInt8], _ range: Range<Int>, _ start: Int) -> Bool {
    bytes[range.lowerBound - start..<range.upperBound - start].allSatisfy { $0 == 0 }
  }
}
