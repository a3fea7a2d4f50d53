import Platform

/// A connection of a load generator, with one request at a time.
struct LoadConnection {
  let socket: Int32
  /// When the current request was due.
  private(set) var due = 0.0
  private var received: [UInt8] = []

  /// Connects to a port of 127.0.0.1.
  ///
  /// - Throws: ``ProcessRun/Failure``.
  init(port: UInt16) throws {
    socket = Platform.socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Safety: the address outlives the call, and has the size that is given.
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, size)
      }
    }
    guard code == 0 else { throw ProcessRun.Failure(description: "no connection to port \(port)") }
    var yes: Int32 = 1
    // Safety: the option is an integer of the size that is given.
    unsafe setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends a request.
  ///
  /// - Throws: ``ProcessRun/Failure`` if the server closed the connection.
  mutating func send(_ request: [UInt8], due: Double) throws {
    self.due = due
    var rest = request[...]
    while !rest.isEmpty {
      // Safety: the array has as many bytes as are sent.
      let count = unsafe Platform.send(
        socket, Array(rest), rest.count, sendWithoutSignal)
      guard count > 0 else {
        throw ProcessRun.Failure(description: "the server closed a connection")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Receives what has arrived.
  ///
  /// - Returns: The status of the response if it is complete; nil if more must arrive.
  /// - Throws: ``ProcessRun/Failure`` if the server closed the connection.
  mutating func receive() throws -> Int? {
    var part = [UInt8](repeating: 0, count: 65_536)
    // Safety: the array has room for as many bytes as are asked for.
    let count = unsafe recv(socket, &part, part.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    guard count > 0 else { throw ProcessRun.Failure(description: "the server closed a connection") }
    received += part.prefix(count)
    guard let head = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self)
      .split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw ProcessRun.Failure(description: "the server sent no status") }
    let length =
      lines.first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
    guard received.count - head.upperBound >= length else { return nil }
    received.removeAll(keepingCapacity: true)
    return status
  }
}
