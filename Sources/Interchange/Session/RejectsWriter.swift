import Specifications

/// Writes rejected records as CSV, so that they can be fixed and imported again: `line`, `offset` (of the offending
/// byte in the uncompressed input), `reason`, and `text`, which is the raw record, even if it is not UTF-8.
///
/// The header of an input that has one is the first row, so that the file can be imported like the one that the records
/// come from: ``Importer`` takes the texts for the content. With several inputs, the rows are in their order.
public final class RejectsWriter {
  private let output: ([UInt8]) throws -> Void
  static let heading = "line,offset,reason,text"
  /// The text in place of a reason beside the header of a table.
  static let headerReason = "header"
  private var hasHeading = false
  private var header: [UInt8]?

  /// Creates a writer to a function that is passed whole rows, the heading first.
  ///
  /// Nothing is written, including the heading, until a record is rejected.
  public init(output: @escaping ([UInt8]) throws -> Void) {
    self.output = output
  }

  /// Writes a rejected record.
  ///
  /// - Parameters:
  ///   - rejected: The record.
  ///   - header: The header of its input, if it has one.
  /// - Throws: Errors of the output.
  public func write(_ rejected: RejectedRecord, header: [UInt8]? = nil) throws {
    var bytes: [UInt8] = []
    if !hasHeading { bytes.append(contentsOf: "\(Self.heading)\n".utf8) }
    hasHeading = true
    if let header, header != self.header {
      Self.append(line: 1, offset: 0, Self.headerReason, header, to: &bytes)
      self.header = header
    }
    Self.append(
      line: rejected.line, offset: rejected.byteOffset, rejected.reason, rejected.bytes, to: &bytes)
    try output(bytes)
  }

  private static func append(
    line: Int, offset: Int64, _ reason: String, _ text: [UInt8], to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: "\(line),\(offset),".utf8)
    CSVText.append(MessageText.shortened(reason).utf8, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    CSVText.append(text, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }
}
