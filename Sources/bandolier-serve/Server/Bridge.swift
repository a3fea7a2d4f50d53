internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Service

/// Passes requests of the server to the service, and its answers back.
struct Bridge: Sendable {
  private let service: Service
  private let memory = AnswerMemory()

  /// The maximum size of a part of an answer, which a client must take within ``TimeLimits/answer``.
  static let partSize = 64 << 10

  init(_ service: Service) { self.service = service }

  /// Answers a request.
  func respond(
    to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
  ) async throws {
    let head = ServiceRequest(request.head, peer: channel.remoteAddress?.ipAddress ?? "")
    var response: ServiceResponse
    var isLast = service.isDraining || request.headers[.connection] == "close"
    if let problem = request.head.hostProblem {
      response = service.refuse(head, problem)
      isLast = true
    } else {
      switch service.admit(head) {
      case .refused(let refusal): response = refusal
      case .accepted(let admitted):
        if head.fields["expect"]?.lowercased() == "100-continue" {
          try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        response = await answer(admitted, request.body)
      }
    }
    let size = response.body.count
    let hasRoom = memory.add(size)
    defer { if hasRoom { memory.remove(size) } }
    if !hasRoom { response = service.refuse(head, .answersWait) }
    try await writer.write(
      response: response.head(closing: isLast), body: Self.body(response.body))
  }

  /// An answer in parts, each written when the client has taken what was written before.
  private static func body(_ bytes: [UInt8]) -> ResponseBody {
    guard bytes.count > partSize else { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
    return ResponseBody(contentLength: bytes.count) { writer in
      for start in stride(from: 0, to: bytes.count, by: partSize) {
        let part = bytes[start..<min(bytes.count, start + partSize)]
        try await writer.write(ByteBuffer(bytes: part))
      }
      try await writer.finish(nil)
    }
  }

  private func answer(_ admitted: AdmittedRequest, _ body: RequestBody) async -> ServiceResponse {
    var bytes: [UInt8] = []
    do {
      for try await buffer in body {
        guard bytes.count + buffer.readableBytes <= admitted.bodyLimit else {
          return service.refuse(admitted, .tooLarge)
        }
        bytes += buffer.readableBytesView
      }
    } catch {
      return service.refuse(admitted, .incomplete)
    }
    return await service.respond(to: admitted, body: bytes)
  }
}

extension ServiceProblem {
  /// The problem of a large answer when too many others are not taken.
  fileprivate static var answersWait: ServiceProblem {
    ServiceProblem(
      503, "overloaded", "too many large answers wait for their clients; try again later",
      retryAfter: 1)
  }
}

extension HTTPRequest {
  /// Why the request does not name one host, as every request must (RFC 9112, section 3.2); nil if it does.
  fileprivate var hostProblem: ServiceProblem? {
    // Only a first field is taken as the authority.
    let others = headerFields.lazy.filter { $0.name.canonicalName == "host" }.count
    let count = others + (authority == nil ? 0 : 1)
    guard count != 1 else { return nil }
    return ServiceProblem(
      400, "invalid-host",
      count == 0 ? "there is no field host; send one" : "there are \(count) fields host; send one")
  }
}

extension ServiceRequest {
  /// Creates a request from its head.
  init(_ head: HTTPRequest, peer: String) {
    var fields = HeaderFields()
    for field in head.headerFields { fields.append(field.name.canonicalName, field.value) }
    self.init(
      method: head.method.rawValue, target: head.path ?? "/", fields: fields, peer: peer)
  }
}

extension ServiceResponse {
  /// Returns the head of the response, which can end the connection.
  func head(closing: Bool) -> HTTPResponse {
    var head = HTTPResponse(status: HTTPResponse.Status(code: status))
    for field in fields.list {
      if let name = HTTPField.Name(field.name) {
        head.headerFields.append(HTTPField(name: name, value: field.value))
      }
    }
    if status != 204, status != 304, head.headerFields[.contentLength] == nil {
      head.headerFields[.contentLength] = String(body.count)
    }
    if closing { head.headerFields[.connection] = "close" }
    return head
  }
}
