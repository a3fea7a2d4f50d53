/// Writes rejected records as CSV, so that they can be fixed and imported again: `line`, `offset` (of the offending
/// byte in the uncompressed input), `reason`, and `text`, which is the raw record, even if it is not UTF-8.
///
/// With several inputs, the rows are in the order of the inputs.
public final class RejectsWriter {
  private let output: ([UInt8]) throws -> Void
  private var hasHeader = false

  /// Creates a writer to a function that is passed whole rows, the heading first.
  ///
  /// Nothing is written, including the heading, until a record is rejected.
  public init(output: @escaping ([UInt8]) throws -> Void) {
    self.output = output
  }

  /// Writes a rejected record.
  ///
  /// - Throws: Errors of the output.
  public func write(_ rejected: RejectedRecord) throws {
    var bytes: [UInt8] = []
    if !hasHeader { bytes.append(contentsOf: "line,offset,reason,text\n".utf8) }
    hasHeader = true
    bytes.append(contentsOf: "\(rejected.line),\(rejected.byteOffset),".utf8)
    Self.append(rejected.reason.utf8, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    Self.append(rejected.bytes, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    try output(bytes)
  }

  /// Appends a field, quoted if RFC 4180 requires it.
  private static func append(_ field: some Collection<UInt8>, to bytes: inout [UInt8]) {
    let special: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D]
    guard field.contains(where: { special.contains($0) }) else {
      bytes.append(contentsOf: field)
      return
    }
    bytes.append(0x22)
    for byte in field {
      if byte == 0x22 { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}
