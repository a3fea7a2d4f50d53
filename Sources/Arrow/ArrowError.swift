/// An error of an Arrow stream: what is wrong, in which message and field, and how to fix it.
public struct ArrowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Sendable {
    /// The bytes are not a valid stream.
    case malformed
    /// The stream is valid and uses something that is not supported here.
    case unsupported
    /// The batches are compressed.
    case compressed
    /// The stream needs more memory than is allowed.
    case tooLarge
  }

  /// The kind of error.
  public var code: Code
  /// The fault, its place and its remedy.
  public var description: String

  /// Creates an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Returns the error with the place in front: `message 3: column "unit": ...`.
  func at(_ place: String) -> ArrowError { ArrowError(code, "\(place): \(description)") }
}
