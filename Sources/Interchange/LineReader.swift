/// Reads the lines of an input in order, without copying them.
///
/// A line ends with LF or CRLF, also with several CR before the LF; the last one may end with the input. Its bytes,
/// `source.bytes[range]`, stay in place until the next call of ``next()``.
public struct LineReader {
  /// The input.
  public private(set) var source: ByteSource
  /// The number of the line, counted from 1; 0 before the first.
  public private(set) var number = 0
  /// The offset of the line's first byte in the uncompressed input.
  public private(set) var offset: Int64 = 0
  /// The range of the line in `source.bytes`, without its end.
  public private(set) var range = 0..<0

  private let maximumLength: Int
  /// The length of the line with its end, in bytes.
  private var taken = 0

  /// Creates a reader of lines of at most `maximumLength` bytes without line ends.
  public init(_ source: ByteSource, maximumLength: Int = 64 << 20) {
    self.source = source
    self.maximumLength = maximumLength
  }

  /// Reads the next line.
  ///
  /// - Returns: Whether there is one; false at the end of the input.
  /// - Throws: ``ImportError`` if the input fails or a line is too long.
  /// - Complexity: O(length), without allocation.
  public mutating func next() throws(ImportError) -> Bool {
    source.consume(taken)
    taken = 0
    guard let (count, end) = try measure() else { return false }
    number += 1
    offset = source.offset
    let start = source.window.lowerBound
    range = start..<start + count
    taken = count + end
    while source.bytes[range].last == UInt8(ascii: "\r") { range = range.dropLast() }
    guard range.count <= maximumLength else { throw tooLong() }
    return true
  }

  /// The range of the line in `source.bytes`, with its end.
  var wholeRange: Range<Int> { source.window.prefix(taken) }

  /// Continues with a piece that was cut out of the input.
  mutating func begin(_ piece: InputPiece) {
    source = source.piece(piece.bytes, at: piece.offset)
    (number, taken) = (piece.linesBefore, 0)
  }

  /// Continues behind the first lines of a file, of which none was read.
  ///
  /// - Returns: Whether that is possible: of a file that is not compressed.
  mutating func skip(to offset: Int64, lineCount: Int64) throws(ImportError) -> Bool {
    guard try source.skip(to: offset) else { return false }
    number = Int(lineCount)
    return true
  }

  /// Returns the lengths of the next line and of its end; nil if there is none.
  private mutating func measure() throws(ImportError) -> (count: Int, end: Int)? {
    var searched = 0
    while true {
      if let newline = source.newline(from: searched) { return (newline, 1) }
      searched = source.window.count
      guard searched <= maximumLength + 1 else {
        number += 1
        throw tooLong()
      }
      guard try source.extend() else {
        return searched == 0 ? nil : (searched, 0)
      }
    }
  }

  private func tooLong() -> ImportError {
    ImportError(
      .badData,
      "\(source.name): line \(number) (byte \(source.offset)) is longer than \(maximumLength) bytes; "
        + "check that the file has one record on each line")
  }
}
