import TestSupport
import Testing

@testable import Service

@Suite("Rates")
struct RateTests {
  private let world: GuardedService

  init() throws {
    world = try GuardedService(try TemporaryFolder()) { $0.access.rate = 0.5 }
  }

  @Test("an address that makes too many requests is told when to try again; others are not")
  func address() async {
    let fields: HeaderFields = ["x-api-key": "unknown"]
    #expect(await world.answer("GET", "/metrics", fields, peer: "192.0.2.1").status == 401)
    let second = await world.answer("GET", "/metrics", fields, peer: "192.0.2.1")
    #expect(second.status == 429)
    #expect(second.fields["retry-after"] == "2")
    #expect(await world.answer("GET", "/metrics", fields, peer: "192.0.2.2").status == 401)
  }

  @Test("a key that makes too many requests from several addresses is told so")
  func key() async {
    let fields: HeaderFields = ["x-api-key": world.key(.read)]
    #expect(await world.answer("GET", "/metrics", fields, peer: "192.0.2.1").status == 200)
    let second = await world.answer("GET", "/metrics", fields, peer: "192.0.2.2")
    #expect(second.status == 429)
    #expect(second.text.contains("this key"))
    let admin: HeaderFields = ["x-api-key": world.key(.admin)]
    #expect(await world.answer("GET", "/metrics", admin, peer: "192.0.2.3").status == 200)
  }

  @Test("health is not limited")
  func health() async {
    for _ in 0..<20 { #expect(await world.answer("GET", "/readyz").status == 200) }
  }

  @Test("behind a proxy the address is the last that was forwarded; otherwise the field is ignored")
  func proxy() async throws {
    let proxied = try GuardedService(try TemporaryFolder()) {
      $0.access.rate = 0.5
      $0.access.isBehindProxy = true
    }
    for (world, second) in [(proxied, 401), (world, 429)] {
      let fields: [HeaderFields] = [
        ["x-forwarded-for": "198.51.100.7, 203.0.113.1"],
        ["x-forwarded-for": "198.51.100.7, 203.0.113.2"],
      ]
      #expect(await world.answer("GET", "/metrics", fields[0]).status == 401)
      #expect(await world.answer("GET", "/metrics", fields[1]).status == second)
      #expect(await world.answer("GET", "/metrics", fields[0]).status == 429)
    }
  }

  @Test("a rate that is not positive ends the start", arguments: [0, -1, .infinity, .nan])
  func invalid(rate: Double) throws {
    #expect(throws: ServiceOptionError.self) {
      try GuardedService(try TemporaryFolder()) { $0.access.rate = rate }
    }
  }
}
