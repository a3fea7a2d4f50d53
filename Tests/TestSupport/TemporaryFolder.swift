import Foundation

/// A folder that is there for one test.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Makes the folder.
  public init() throws {
    path = NSTemporaryDirectory() + "bandolier-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file or folder in it.
  public func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and answers its path.
  public func write(_ bytes: [UInt8], _ name: String = "input") throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Writes a text file and answers its path.
  public func write(_ text: String, _ name: String = "input") throws -> String {
    try write(Array(text.utf8), name)
  }

  /// The names of what is in it.
  public var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}
