import TestSupport
import Testing

@testable import Service

@Suite("Admission")
struct AdmissionTests {
  private let world: GuardedService

  init() throws { world = try GuardedService(try TemporaryFolder()) }

  private func refusal(_ request: ServiceRequest) -> ServiceResponse? {
    guard case .refused(let response) = world.service.admit(request) else { return nil }
    return response
  }

  @Test("a body that is too large by its head is refused before it is read")
  func large() throws {
    let limit = Route.decisionBodyLimit
    let large = ServiceRequest(
      method: "GET", target: "/healthz", fields: ["content-length": "\(limit + 1)"])
    #expect(refusal(large)?.status == 413)
    let full = ServiceRequest(
      method: "GET", target: "/healthz", fields: ["content-length": "\(limit)"])
    guard case .accepted(let admitted) = world.service.admit(full) else {
      Issue.record("a body of \(limit) bytes was refused")
      return
    }
    #expect(admitted.bodyLimit == limit)
    #expect(world.service.refuse(admitted, .tooLarge).status == 413)
    #expect(world.service.refuse(admitted, .incomplete).status == 408)
  }

  @Test("a body that is too large without a length is refused when it is there")
  func chunked() async {
    let body = String(repeating: "a", count: Route.decisionBodyLimit + 1)
    #expect(await world.answer("GET", "/healthz", body: body).status == 413)
  }

  @Test("a length that is not a number is refused", arguments: ["", "-1", "a", "1, 1"])
  func length(text: String) {
    let request = ServiceRequest(
      method: "GET", target: "/healthz", fields: ["content-length": text])
    #expect(refusal(request)?.status == 400)
  }

  @Test("unknown paths, methods and malformed escapes are refused before the body is read")
  func paths() {
    for (method, target, status) in [
      ("GET", "/none", 404), ("GET", "/", 404), ("GET", "*", 404), ("GET", "", 404),
      ("POST", "/healthz", 405), ("BREW", "/healthz", 405), ("GET", "/%", 400),
      ("GET", "/%ff", 400),
    ] {
      let response = refusal(ServiceRequest(method: method, target: target))
      #expect(response?.status == status, "\(method) \(target)")
      if status == 405 { #expect(response?.fields["allow"] == "GET") }
    }
  }

  @Test(
    "every answer has the id of its request: the client's if it is short and plain, else a new one")
  func ids() async {
    let given = await world.answer("GET", "/healthz", ["x-request-id": "abc-1.2_3"])
    #expect(given.fields["x-request-id"] == "abc-1.2_3")
    var made: Set<String> = []
    for id in [nil, "", "a b", "a\"b", String(repeating: "a", count: 65)] {
      let response = await world.answer(
        "GET", "/none", HeaderFields(id.map { [.init("x-request-id", $0)] } ?? []))
      made.insert(response.fields["x-request-id"] ?? "")
    }
    #expect(made.count == 5 && !made.contains(""))
  }

  @Test("HEAD answers like GET, without the body and with its length")
  func head() async {
    let get = await world.answer("GET", "/openapi.json")
    let head = await world.answer("HEAD", "/openapi.json")
    #expect(head.status == 200 && head.body.isEmpty)
    #expect(head.fields["content-length"] == "\(get.body.count)")
  }
}
