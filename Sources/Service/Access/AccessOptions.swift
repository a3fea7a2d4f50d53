package import Specifications

/// Who may use a service, and how much of it.
public struct AccessOptions: Sendable {
  /// The path of the file of keys; nil if every route is open.
  public var keys: String?
  /// The web origins whose pages may use the service.
  public var origins: [String]
  /// The maximum number of requests per second of each key and of each address; nil for no limit.
  public var rate: Double?
  /// Whether a proxy passes the requests on: the last address of `x-forwarded-for` is then the client's.
  public var isBehindProxy: Bool

  /// Creates options: no keys, no origins, no limit, no proxy.
  public init() {
    keys = nil
    origins = []
    rate = nil
    isBehindProxy = false
  }
}

/// An error in the options of a service.
package struct ServiceOptionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The fault and its remedy.
  package let description: String

  /// Creates an error.
  package init(_ description: String) { self.description = description }
}

extension ServiceOptionError: ExitCoded {
  package var exitCode: ExitCode { .usage }
}
