internal import Foundation

/// The reason why a file could not be read.
public struct ConfigurationFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public var path: String
  /// The problem.
  public var reason: String

  /// The problem and the path, in one line.
  public var description: String { "the file \"\(path)\" cannot be read: \(reason)" }
}

/// The file of a name, in a folder or at a path with a placeholder.
struct ConfigurationFile: Sendable {
  private let pieces: [String]

  /// Takes a path in which every placeholder stands for the name; a path without any is that of
  /// every name.
  init(_ path: String, placeholder: String) {
    pieces = path.split(separator: "{\(placeholder)}", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Returns the path with the name in place of the placeholder. The name is percent-encoded, so
  /// that it cannot lead to another folder.
  func path(of name: String) -> String {
    let isSegment = name.isEmpty || PathSegment.isSegment(name)
    let encoded = isSegment ? PathSegment.encode(name) : name.replacing(".", with: "%2E")
    return pieces.joined(separator: encoded)
  }

  /// Returns the bytes of the file of the name; nil if there is no such file.
  ///
  /// - Throws: ``ConfigurationFileError`` when it cannot be read.
  func bytes(of name: String) throws(ConfigurationFileError) -> [UInt8]? {
    let path = path(of: name)
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    } catch {
      throw ConfigurationFileError(path: path, reason: error.localizedDescription)
    }
  }
}
