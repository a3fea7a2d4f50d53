import Platform

/// Small files of short lines.
enum TextFile {
  /// Returns the rest of the first line that begins with a text; nil if there is no such line within a few megabytes.
  static func line(of path: String, after start: String) -> String? {
    lines(of: path).first { $0.hasPrefix(start) }.map {
      String($0.dropFirst(start.count).prefix { $0 != "\n" })
    }
  }

  /// Returns the lines of a file with their line breaks, the first 100,000; none if it cannot be opened. A line of more
  /// than 4,095 bytes becomes several.
  static func lines(of path: String) -> [String] {
    // Safety: both texts are terminated copies for the call; the file is used only here and closed exactly once.
    guard let file = unsafe fopen(path, "r") else { return [] }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 4_096)
    var lines: [String] = []
    // Safety: fgets writes at most as many bytes as the array has, and ends them with zero.
    while lines.count < 100_000, unsafe fgets(&line, 4_096, file) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      lines.append(String(decoding: bytes, as: UTF8.self))
    }
    return lines
  }
}
