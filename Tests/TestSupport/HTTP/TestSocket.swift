internal import Platform

/// A connection of a test's server, read by requests.
struct TestSocket {
  struct Failure: Error { let call: String, code: Int32 }

  private let socket: Int32
  private var unread: [UInt8] = []

  init(_ socket: Int32) { self.socket = socket }

  /// Listens on a free port of 127.0.0.1.
  static func listen() throws -> (socket: Int32, port: UInt16) {
    let socket = Platform.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw Failure(call: "socket", code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Safety: the address is read and written as the struct that it is, with its size.
    let codes = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe [
          bind(socket, pointer, size), Platform.listen(socket, 128),
          getsockname(socket, pointer, &size),
        ]
      }
    }
    guard codes == [0, 0, 0] else { throw Failure(call: "listen", code: errno) }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// Reads a request; nil when the connection ends, or is not understood.
  mutating func request() -> TestHTTPServer.Request? {
    let end = Array("\r\n\r\n".utf8)
    var head: [UInt8]?
    while head == nil {
      if let start = Self.position(of: end, in: unread) {
        head = Array(unread[..<start])
        unread.removeFirst(start + end.count)
      } else if !read() {
        return nil
      }
    }
    let lines = String(decoding: head ?? [], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3 else { return nil }
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
      return (name: parts[0].lowercased(), value: String(value))
    }
    var request = TestHTTPServer.Request(
      method: String(words[0]), target: String(words[1]), fields: fields, body: [])
    if request["expect"] == "100-continue" { _ = send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    guard let size = Int(request["content-length"] ?? "0") else { return nil }
    while unread.count < size {
      guard read() else { return nil }
    }
    request.body = Array(unread[..<size])
    unread.removeFirst(size)
    return request
  }

  /// Sends all bytes.
  ///
  /// - Returns: Whether the client took them.
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      // Safety: the call reads the bytes that the buffer has.
      let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
        unsafe Platform.send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Waits until the client closes the connection.
  mutating func waitForEnd() {
    while read() { unread = [] }
  }

  private mutating func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    repeat {
      // Safety: the call writes at most as many bytes as the buffer has.
      count = unsafe buffer.withUnsafeMutableBytes { buffer in
        unsafe recv(socket, buffer.baseAddress, buffer.count, 0)
      }
    } while count < 0 && errno == EINTR
    guard count > 0 else { return false }
    unread += buffer[..<count]
    return true
  }

  private static func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...bytes.count - pattern.count).first {
      bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}
