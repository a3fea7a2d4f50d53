/// The reason why nothing could be loaded over HTTP.
public enum HTTPError: Error, Hashable, Sendable {
  /// The address is not one of HTTP.
  case invalidAddress(String, reason: String)
  /// A header field cannot be sent.
  case invalidHeader(String)
  /// The server cannot be reached, or the connection broke.
  case network(String)
  /// No complete reply came within the timeout.
  case timeout(Duration)
  /// The server answered with another status than success; the reason has what it says about a
  /// retry.
  case status(Int, reason: String)
  /// The server answered that another address is to be used, which is not followed.
  case redirected(Int, to: String)
  /// The reply has more bytes than the limit.
  case tooLarge(limit: Int)
}

extension HTTPError: CustomStringConvertible {
  /// The problem, and how to fix it, in one line.
  public var description: String {
    switch self {
    case .invalidAddress(let address, let reason):
      "the address \"\(address)\" \(reason); write it like https://example.com:8080"
    case .invalidHeader(let name):
      "the header field \(name) has a character that cannot be sent; use visible ASCII characters"
    case .network(let reason): "the server cannot be reached: \(reason)"
    case .timeout(let limit): "no reply within \(limit); try again, or allow more time"
    case .status(let status, let reason): "the server answered with status \(status)\(reason)"
    case .redirected(let status, let address):
      "the server redirects to \"\(address)\" (status \(status)); use that address"
    case .tooLarge(let limit): "the reply has more than \(limit) bytes; check the address"
    }
  }
}
