internal import DecidingCore
internal import HummingbirdCore
internal import NIOSSL
internal import Platform
internal import Service
internal import Specifications
internal import Threads

/// One run of the service: from opening the log to its end after a signal.
struct ServeRun: Sendable {
  private let plan: ServePlan
  private let lines = LineQueue()

  /// The seconds within which the service ends after a signal.
  private static let endSeconds: UInt32 = 10

  init(_ plan: ServePlan) { self.plan = plan }

  /// Runs until a signal ends the service, and exits.
  func runToExit() -> Never {
    Task {
      do {
        try await run()
        lines.close()
        exit(0)
      } catch {
        lines.close()
        Message.print("error: \(error)")
        exit(((error as? any ExitCoded)?.exitCode ?? .inputOutput).rawValue)
      }
    }
    while true { pause() }
  }

  private func run() async throws {
    let tls = try plan.tls.map { try TLSConfiguration(certificate: $0.certificate, key: $0.key) }
    let service = try open()
    let bridge = Bridge(service)
    let place = HTTPServer.Place(
      address: plan.address, port: plan.port, connections: plan.connections, tls: tls)
    let server = try HTTPServer(place) { request, writer, channel in
      try await bridge.respond(to: request, writer, channel)
    } onRunning: { [plan] port in
      Message.printAddress(Self.url(plan, port))
    }
    Signals.receive {
      Self.watchEnd()
      service.refuseChanges()
      Task { await server.stop() }
    }
    try await server.run()
    await service.drain()
    service.close()
  }

  private func open() throws -> Service {
    var options = plan.service
    options.systems = try .init(
      reading: plan.configs, options.systems.agentSettings, at: options.surroundings.time.now)
    options.requestLog = { [lines] in lines.add($0) }
    options.note = { Message.print($0) }
    if plan.isOpen {
      Message.print("note: without --keys every route is open to everyone on this machine")
    }
    return try Service(options)
  }

  private static func url(_ plan: ServePlan, _ port: Int) -> String {
    let host = plan.address.utf8.contains(UInt8(ascii: ":")) ? "[\(plan.address)]" : plan.address
    return "\(plan.tls == nil ? "http" : "https")://\(host):\(port)"
  }

  /// Starts a thread that ends the process if it has not ended by itself.
  private static func watchEnd() {
    _ = Workers.detach {
      sleep(endSeconds)
      Message.print("error: not everything could be finished within \(endSeconds) seconds")
      _exit(ExitCode.inputOutput.rawValue)
    }
  }
}
