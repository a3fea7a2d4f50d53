import Foundation

/// Files that a test looks into or damages.
enum Files {
  /// The bytes of a file.
  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Changes the bytes of a file.
  static func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
    var changed = try bytes(path)
    body(&changed)
    try Data(changed).write(to: URL(fileURLWithPath: path))
  }
}
