import EventLog
import Events

@testable import Interchange

extension ImportFuzzTarget {
  /// Reads what follows the first two bytes in the format that the first selects, one record after the other, and in
  /// pieces of the size that the second says by one thread and by two.
  static func pieces(_ bytes: [UInt8]) throws {
    guard bytes.count > 2 else { return }
    let formats = texts + ["arrow"]
    let open = try opening(formats[Int(bytes[0]) % formats.count])
    let filter = DuplicateFilter(
      key: FingerprintKey(first: 1, second: 2), directory: "/tmp", memoryCapacity: 1 << 16)
    func source() -> (any RecordSource)? {
      try? open(ByteSource(PortionedInput(Array(bytes.dropFirst(2)), portion: .max)))
    }
    guard let first = source(), first is any PieceSource else { return }
    let expected = ReadOutcome.alone(first, filter)
    for threads in [1, 2] {
      guard let pieces = source() as? any PieceSource,
        let outcome = ReadOutcome.inPieces(pieces, filter, threads: threads, pieceSize: 1 + Int(bytes[1]))
      else { continue }
      try require(
        outcome == expected, "by \(threads) threads in pieces of \(bytes[1]):\n\(outcome)\nand alone:\n\(expected)")
    }
  }
}
