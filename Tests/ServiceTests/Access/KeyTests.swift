import DecidingCore
import Foundation
import TestSupport
import Testing

@testable import Service

@Suite("Keys of requests")
struct KeyTests {
  private let folder: TemporaryFolder
  private let world: GuardedService

  init() throws {
    folder = try TemporaryFolder()
    world = try GuardedService(folder)
  }

  /// A path that a route matches.
  private static func path(_ route: Route) -> String {
    "/"
      + route.pattern.parts.map { part in
        switch part {
        case .literal(let text): text
        case .parameter, .rest: "x"
        }
      }.joined(separator: "/")
  }

  @Test(
    "every route but health and schemas answers 401 without a key, and 403 with another's scope")
  func everyRoute() async {
    var guarded = 0
    for route in world.service.routes.routes {
      let path = Self.path(route)
      guard let scope = route.scope else {
        #expect(
          ["/healthz", "/readyz", "/openapi.json", "/v1/openapi.json"].contains(path) || path.contains("schema"),
          "\(path)")
        continue
      }
      guarded += 1
      let without = await world.answer(route.method.rawValue, path)
      #expect(without.status == 401, "\(route.method) \(path)")
      #expect(without.fields["www-authenticate"] == "Bearer realm=\"bandolier\"")
      for other in KeyScope.allCases where other != scope && other != .admin {
        let answer = await world.answer(
          route.method.rawValue, path, ["x-api-key": world.key(other)])
        #expect(answer.status == 403, "\(route.method) \(path)")
      }
    }
    #expect(guarded > 0)
  }

  @Test("a key is accepted wherever clients put it")
  func places() async {
    let key = world.key(.read)
    let heads: [(String, HeaderFields)] = [
      ("?apikey=\(key)", [:]), ("?apiKey=\(key)", [:]), ("?a=b&apikey=\(key)", [:]),
      ("", ["x-mpath-apikey": key]), ("", ["X-API-Key": key]),
      ("", ["authorization": "Bearer \(key)"]), ("", ["authorization": "bearer  \(key) "]),
      ("", ["Ocp-Apim-Subscription-Key": key]),
    ]
    for (query, fields) in heads {
      let answer = await world.answer("GET", "/metrics\(query)", fields)
      #expect(answer.status == 200, "\(query) \(fields)")
    }
    for (query, fields) in [
      ("?apikey=", [:]), ("?apikey=\(key.uppercased())", [:]), ("", ["x-api-key": key + "0"]),
      ("", ["authorization": "Basic \(key)"]), ("", ["authorization": key]), ("?key=\(key)", [:]),
    ] as [(String, HeaderFields)] {
      let answer = await world.answer("GET", "/metrics\(query)", fields)
      #expect(answer.status == 401, "\(query) \(fields)")
    }
  }

  @Test("a key with the scope admin permits everything")
  func admin() async {
    let answer = await world.answer("GET", "/metrics", ["x-api-key": world.key(.admin)])
    #expect(answer.status == 200)
  }

  @Test("health and the interface are open")
  func open() async {
    for path in ["/healthz", "/readyz", "/openapi.json", "/v1/openapi.json"] {
      #expect(await world.answer("GET", path).status == 200, "\(path)")
    }
  }

  @Test("a revoked key is refused, and a new one accepted, without a restart")
  func reload() async throws {
    let key = world.key(.read)
    try KeyFile.revoke("the-read", in: world.keyFile)
    #expect(await world.answer("GET", "/metrics", ["x-api-key": key]).status == 401)
    var random = SeededGenerator(seed: 99)
    let new = try KeyFile.create(
      "new", [.read], in: world.keyFile, at: SystemTime().now, random: &random)
    #expect(await world.answer("GET", "/metrics", ["x-api-key": new]).status == 200)
  }

  @Test(
    "while the file of keys is damaged, the keys that were read remain valid; one removed refuses all"
  )
  func damagedLater() async throws {
    try "{".write(toFile: world.keyFile, atomically: false, encoding: .utf8)
    let key = world.key(.read)
    #expect(await world.answer("GET", "/metrics", ["x-api-key": key]).status == 200)
    try FileManager.default.removeItem(atPath: world.keyFile)
    #expect(await world.answer("GET", "/metrics", ["x-api-key": key]).status == 401)
    #expect(await world.answer("GET", "/metrics", ["x-api-key": "other"]).status == 401)
  }

  @Test("keys stand in no line of the request log, in no answer and in no file")
  func redacted() async throws {
    let key = world.key(.read)
    var answers: [String] = []
    for target in ["/metrics?apikey=\(key)", "/none?apikey=\(key)", "/\(key)"] {
      let answer = await world.answer("GET", target, ["x-api-key": key, "x-request-id": "r 1"])
      if !target.hasSuffix("/\(key)") { answers.append("\(answer.fields) \(answer.text)") }
    }
    let wrong = await world.answer("GET", "/metrics", ["x-api-key": "wrong-\(key)"])
    answers.append("\(wrong.fields) \(wrong.text)")
    #expect(world.logged.count == 4)
    for text in answers + world.logged { #expect(!text.contains(key), "\(text)") }
    #expect(world.logged[0].contains("\"key\":\"the-read\""))
    let enumerator = try #require(FileManager.default.enumerator(atPath: folder.path))
    for case let name as String in enumerator {
      let content = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      #expect(content.range(of: Data(key.utf8)) == nil, "\(name)")
    }
  }

  @Test("a service without a file of keys is open")
  func unguarded() async throws {
    let open = try GuardedService(try TemporaryFolder()) { $0.access.keys = nil }
    #expect(await open.answer("GET", "/metrics").status == 200)
  }

  @Test("a file of keys that does not exist ends the start")
  func missing() throws {
    #expect(throws: KeyFileError.self) {
      try GuardedService(try TemporaryFolder()) { $0.access.keys = "/nonexistent/keys" }
    }
  }

  @Test("the key of a form or of a JSON object in the body is found")
  func bodies() {
    for (body, key) in [
      ("apiKey=k1&session=s", "k1"), ("session=s&apikey=k2", "k2"), ("{\"apikey\":\"k3\"}", "k3"),
      (" {\"apiKey\":\"k4\",\"a\":1}", "k4"), ("{\"apikey\":7}", nil), ("{", nil), ("", nil),
      ("apikey=", nil),
    ] {
      let request = ServiceRequest(method: "POST", target: "/a/b", body: Array(body.utf8))
      #expect(GivenKey.inBody(of: request) == key, "\(body)")
    }
  }
}
