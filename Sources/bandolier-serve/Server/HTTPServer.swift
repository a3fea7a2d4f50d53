internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import ServiceLifecycle

/// The server that accepts connections and speaks HTTP 1.1.
///
/// Hummingbird's life cycle has a type with the name of ours, so only this file knows it.
struct HTTPServer: Sendable {
  private let group: ServiceGroup

  /// The seconds for which requests are answered after ``stop()``.
  static let answerSeconds = 7

  /// Where the server listens.
  struct Place: Sendable {
    var address: String
    /// The port; 0 for a free one.
    var port: Int
    /// The maximum number of connections.
    var connections: Int
    /// Nil for connections in the clear.
    var tls: TLSConfiguration?
  }

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - place: Where it listens.
  ///   - responder: Answers requests.
  ///   - onRunning: Called with the port when connections are accepted.
  /// - Throws: An error of TLS if the certificate and the private key do not fit together.
  init(
    _ place: Place, responder: @escaping HTTPChannelHandler.Responder,
    onRunning: @escaping @Sendable (Int) -> Void
  ) throws {
    var builder = HTTPServerBuilder { responder in
      LimitedChannel(TimeLimits(), responder: responder)
    }
    if let tls = place.tls { builder = try .tls(builder, tlsConfiguration: tls) }
    let logger = Self.logger
    let server = try builder.buildServer(
      configuration: ServerConfiguration(
        address: .hostname(place.address, port: place.port), backlog: 1_024,
        availableConnectionsDelegate: MaximumAvailableConnections(place.connections)),
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
      responder: responder,
      onServerRunning: { channel in onRunning(channel.localAddress?.port ?? place.port) })
    var configuration = ServiceGroupConfiguration(
      services: [.init(service: server)], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(Self.answerSeconds)
    group = ServiceGroup(configuration: configuration)
  }

  /// Runs until ``stop()`` is called and the requests being answered are.
  func run() async throws { try await group.run() }

  /// Stops accepting connections, and ends those that are idle.
  func stop() async { await group.triggerGracefulShutdown() }

  /// The logger of the server, which has nothing to say that the request log does not.
  private static var logger: Logger {
    Logger(label: "bandolier-serve") { _ in SwiftLogNoOpLogHandler() }
  }
}
