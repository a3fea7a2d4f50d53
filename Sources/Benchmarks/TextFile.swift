import Platform

/// Small files of short lines.
enum TextFile {
  /// Returns the rest of the first line that begins with a text; nil if there is no such line within a few megabytes.
  static func line(of path: String, after start: String) -> String? {
    // Safety: both texts are terminated copies for the call; the file is used only here and closed exactly once.
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 4_096)
    for _ in 0..<100_000 {
      // Safety: fgets writes at most as many bytes as the array has, and ends them with zero.
      guard unsafe fgets(&line, 4_096, file) != nil else { return nil }
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix(start) { return String(text.dropFirst(start.count).prefix { $0 != "\n" }) }
    }
    return nil
  }
}
