/// Writes rejected records as CSV, so that they can be mended and imported again: `line`, `offset`
/// (of the byte that gave offence, in the uncompressed input), `reason`, and `text`, which is the
/// record exactly as it came, also where it is not UTF-8.
///
/// With several inputs the rows of each stand in the order of the inputs.
public final class RejectsWriter {
  private let output: ([UInt8]) throws -> Void
  private var hasHeader = false

  /// Writes to a function that is given whole rows, the heading first.
  ///
  /// Nothing is written, the heading included, until a record is rejected.
  public init(output: @escaping ([UInt8]) throws -> Void) {
    self.output = output
  }

  /// Writes a rejected record.
  ///
  /// - Throws: What the output throws.
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

  /// Appends a field, in quotes where RFC 4180 wants them.
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
