internal import DecidingAgents
internal import DecidingCore
internal import Events
internal import Service

extension ServeOptions {
  /// Checks the options, and returns what they ask for.
  ///
  /// - Throws: ``ServiceOptionError`` that says which options do not fit together.
  func plan() throws -> ServePlan {
    try checkNumbers()
    let isLoopback = Self.isLoopback(address)
    if !isLoopback { try checkSafety() }
    var service = ServiceOptions(
      log: log, owner: owner, surroundings: Surroundings(sink: UnusedSink()))
    service.waitsForDisk = !noWait
    service.segmentByteCount = segmentSize
    service.systems.agentSettings.recordInputs = recordInputs
    service.access.keys = keys
    service.access.origins = corsOrigins
    service.access.isBehindProxy = behindProxy
    let limit = rate ?? (isLoopback ? 0 : 1_000)
    service.access.rate = limit == 0 ? nil : limit
    return ServePlan(
      service: service, configs: configs, address: address, port: port, connections: connections,
      tls: try tlsFiles())
  }

  private func checkNumbers() throws(ServiceOptionError) {
    guard (0...65_535).contains(port) else {
      throw ServiceOptionError("--port \(port) is not a port; write a number from 0 to 65535")
    }
    guard connections > 0 else {
      throw ServiceOptionError("--connections \(connections) must be at least 1")
    }
    guard segmentSize >= 4_096 else {
      throw ServiceOptionError("--segment-size \(segmentSize) must be at least 4096")
    }
    if let rate, !(rate >= 0 && rate.isFinite) {
      throw ServiceOptionError("--rate \(rate) must be 0 or a positive number")
    }
    if log.isEmpty { throw ServiceOptionError("--log must not be empty") }
  }

  private func tlsFiles() throws(ServiceOptionError) -> (certificate: String, key: String)? {
    switch (tlsCertificate, tlsKey) {
    case (let certificate?, let key?):
      guard !behindProxy else {
        throw ServiceOptionError("--behind-proxy and --tls-certificate exclude each other")
      }
      return (certificate, key)
    case (nil, nil): return nil
    default:
      throw ServiceOptionError("--tls-certificate and --tls-key belong together; give both")
    }
  }

  private func checkSafety() throws(ServiceOptionError) {
    guard keys != nil else {
      throw ServiceOptionError(
        "\(address) can be reached from other machines, so --keys is required; make a key with "
          + "`bandolier keys create`")
    }
    guard tlsCertificate != nil || behindProxy else {
      throw ServiceOptionError(
        "\(address) can be reached from other machines, so TLS is required; give "
          + "--tls-certificate and --tls-key, or --behind-proxy if a proxy terminates it")
    }
  }

  /// Whether an address can be reached from this machine only.
  private static func isLoopback(_ address: String) -> Bool {
    if ["localhost", "::1"].contains(address) { return true }
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// The sink of the surroundings until the service replaces it by the log.
private struct UnusedSink: EventSink {
  func append(_ events: [Event]) throws -> Range<UInt64> {
    throw ServiceOptionError("events were appended before the log was opened")
  }

  func flush() async throws {}
}
