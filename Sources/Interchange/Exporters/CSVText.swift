/// Writes fields of CSV.
enum CSVText {
  /// Appends a field, quoted if RFC 4180 requires it.
  static func append(_ field: some Collection<UInt8>, to bytes: inout [UInt8]) {
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
