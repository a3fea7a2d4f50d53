import DecidingCore
import Synchronization
import TestSupport
import Threads

@testable import Service

/// A service on a log of its own, with keys.
final class GuardedService: Sendable {
  let service: Service
  /// The keys by scope, each permitting that scope only.
  let keys: [KeyScope: String]
  let keyFile: String
  /// Kept, because the keys of a file that is removed are refused.
  private let temporary: TemporaryFolder
  private let folder: String
  private let lines = Monitor([String]())

  init(_ folder: TemporaryFolder, change: (inout ServiceOptions) -> Void = { _ in }) throws {
    let path = folder.path("keys")
    var random = SeededGenerator(seed: 7)
    var keys: [KeyScope: String] = [:]
    for scope in KeyScope.allCases {
      keys[scope] = try KeyFile.create(
        "the-\(scope)", [scope], in: path, at: SystemTime().now, random: &random)
    }
    self.keys = keys
    keyFile = path
    temporary = folder
    self.folder = folder.path
    var options = ServiceOptions(
      log: folder.path("log"), owner: "shop", surroundings: Surroundings(sink: MemorySink()))
    options.access.keys = path
    let lines = lines
    options.requestLog = { line in
      lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
    change(&options)
    service = try Service(options)
  }

  /// The lines of the request log.
  var logged: [String] { lines.withLock { $0 } }

  /// Returns a key that permits a scope only.
  func key(_ scope: KeyScope) -> String { keys[scope] ?? "" }

  func answer(
    _ method: String = "GET", _ target: String, _ fields: HeaderFields = [:], body: String = "",
    peer: String = "192.0.2.1"
  ) async -> ServiceResponse {
    await service.respond(
      to: ServiceRequest(
        method: method, target: target, fields: fields, body: Array(body.utf8), peer: peer))
  }
}

extension ServiceResponse {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
}
