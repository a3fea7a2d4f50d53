internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Service

/// Passes requests of the server to the service, and its answers back.
struct Bridge: Sendable {
  private let service: Service

  init(_ service: Service) { self.service = service }

  /// Answers a request.
  func respond(
    to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
  ) async throws {
    let head = ServiceRequest(request.head, peer: channel.remoteAddress?.ipAddress ?? "")
    let response: ServiceResponse
    switch service.admit(head) {
    case .refused(let refusal): response = refusal
    case .accepted(let admitted):
      if head.fields["expect"]?.lowercased() == "100-continue" {
        try await writer.writeInformationalHead(HTTPResponse(status: .continue))
      }
      response = await answer(admitted, request.body)
    }
    try await writer.write(
      response: response.head(closing: service.isDraining),
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
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
