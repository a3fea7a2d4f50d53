internal import Platform
internal import Threads

/// What the threads of a server share, which lives as long as the last of them.
final class TestHTTPCore: Sendable {
  struct Content: Sendable {
    var acceptor: pthread_t?
    var isStopped = false
    var connections: Set<Int32> = []
    var requests: [TestHTTPServer.Request] = []
  }

  let content = Monitor(Content())
  private let listener: Int32
  private let respond: @Sendable (TestHTTPServer.Request) -> TestHTTPServer.Response

  init(
    _ listener: Int32,
    _ respond: @escaping @Sendable (TestHTTPServer.Request) -> TestHTTPServer.Response
  ) {
    self.listener = listener
    self.respond = respond
  }

  func start() {
    let thread = startThread { [self] in accept() }
    content.withLock { $0.acceptor = thread }
  }

  func stop() {
    let acceptor = content.withLock { content in
      defer { content.acceptor = nil }
      content.isStopped = true
      for socket in content.connections { shutdown(socket, Int32(SHUT_RDWR)) }
      return content.acceptor
    }
    guard let acceptor else { return }
    shutdown(listener, Int32(SHUT_RDWR))
    pthread_join(acceptor, nil)
    close(listener)
  }

  private func accept() {
    while true {
      let socket = Platform.accept(listener, nil, nil)
      if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
      guard socket >= 0 else { return }
      let isOpen = content.withLock { content in
        if !content.isStopped { content.connections.insert(socket) }
        return !content.isStopped
      }
      if isOpen {
        pthread_detach(startThread { [self] in serve(socket) })
      } else {
        close(socket)
      }
    }
  }

  private func serve(_ socket: Int32) {
    var connection = TestSocket(socket)
    while let request = connection.request() {
      content.withLock { $0.requests.append(request) }
      let response = respond(request)
      let isLast = response.raw != nil || request["connection"]?.lowercased() == "close"
      guard connection.send(response.bytes(to: request, isLast: isLast)), !isLast else {
        if response.isStalled { connection.waitForEnd() }
        break
      }
    }
    // Nobody shuts down a socket of the same number meanwhile.
    content.withLock { content in
      content.connections.remove(socket)
      close(socket)
    }
  }
}
