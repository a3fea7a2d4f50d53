import TestSupport
import Testing

@testable import Service

@Suite("Web origins")
struct OriginTests {
  private static let origin = "https://shop.example"
  private let world: GuardedService

  init() throws {
    world = try GuardedService(try TemporaryFolder()) { options in
      options.access.origins = [Self.origin, "http://localhost:3000"]
    }
  }

  private static func cors(_ response: ServiceResponse) -> [String] {
    response.fields.list.map(\.name).filter { $0.hasPrefix("access-control-") }.sorted()
  }

  @Test("a listed origin is echoed with credentials, also with a problem")
  func listed() async {
    for path in ["/healthz", "/metrics", "/none"] {
      let response = await world.answer("GET", path, ["origin": Self.origin])
      #expect(response.fields["access-control-allow-origin"] == Self.origin)
      #expect(response.fields["access-control-allow-credentials"] == "true")
      #expect(response.fields["vary"] == "Origin")
    }
  }

  @Test(
    "an origin that is not listed gets no header of CORS",
    arguments: [
      "https://evil.example", "https://shop.example.evil.example", "http://shop.example", "null",
      "https://shop.example:444", "",
    ])
  func unlisted(origin: String) async {
    let plain = await world.answer("GET", "/healthz", ["origin": origin])
    #expect(Self.cors(plain) == [])
    #expect(plain.fields["vary"] == "Origin")
    let preflight = await world.answer(
      "OPTIONS", "/metrics", ["origin": origin, "access-control-request-method": "GET"])
    #expect(Self.cors(preflight) == [])
  }

  @Test("a preflight needs no key, and names the methods of the path and the fields of clients")
  func preflight() async throws {
    let response = await world.answer(
      "OPTIONS", "/metrics",
      [
        "origin": Self.origin, "access-control-request-method": "GET",
        "access-control-request-headers": "x-api-key",
      ])
    #expect(response.status == 204)
    #expect(response.fields["access-control-allow-origin"] == Self.origin)
    #expect(response.fields["access-control-allow-methods"] == "GET, HEAD, OPTIONS")
    let fields = try #require(response.fields["access-control-allow-headers"])
    for name in ["authorization", "content-type", "x-api-key", "x-mpath-apikey", "x-mpath-session"] {
      #expect(fields.split(separator: ",").contains { $0.trimmingSpaces == name }, "\(name)")
    }
    #expect(response.body.isEmpty)
  }

  @Test("OPTIONS for an unknown path is a 404")
  func unknown() async {
    #expect(await world.answer("OPTIONS", "/none").status == 404)
  }

  @Test("without origins there is no header of CORS, and no Vary")
  func none() async throws {
    let plain = try GuardedService(try TemporaryFolder())
    let response = await plain.answer("GET", "/healthz", ["origin": Self.origin])
    #expect(Self.cors(response) == [] && response.fields["vary"] == nil)
  }

  @Test(
    "what is not an origin ends the start",
    arguments: ["*", "shop.example", "https://", "https://a/b", "https://a.example ", "ftp://a"])
  func invalid(origin: String) throws {
    #expect(throws: ServiceOptionError.self) {
      try GuardedService(try TemporaryFolder()) { $0.access.origins = [origin] }
    }
  }
}
