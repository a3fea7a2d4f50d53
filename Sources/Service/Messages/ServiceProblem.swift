internal import Tables

/// An error that is answered with a status of HTTP.
public struct ServiceProblem: Error, Sendable, Hashable {
  /// The status code, 400 to 599.
  public var status: Int
  /// The kind of problem as a word, such as `invalid-code`.
  public var code: String
  /// The fault, its place and its remedy.
  public var message: String
  /// The seconds after which a retry can succeed; nil if it cannot, or the time is unknown.
  public var retryAfter: Int?
  /// Further header fields of the response, such as `allow`.
  public var fields: HeaderFields

  /// Creates a problem.
  public init(
    _ status: Int, _ code: String, _ message: String, retryAfter: Int? = nil,
    fields: HeaderFields = [:]
  ) {
    self.status = status
    self.code = code
    // It may quote any part of the request.
    self.message = TerminalText.message(message)
    self.retryAfter = retryAfter
    self.fields = fields
  }
}

extension ServiceProblem: CustomStringConvertible {
  public var description: String { "\(status) \(code): \(message)" }
}
