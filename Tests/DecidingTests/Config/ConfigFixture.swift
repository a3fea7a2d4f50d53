import DecidingCore
import Events
import Testing
import Threads

@testable import DecidingConfig

/// Keeps what is to be delivered until it is told to.
final class HandDelivery: Sendable {
  private let jobs = Monitor<[@Sendable () -> Void]>([])

  var deliver: ConfigDelivery { { job in self.jobs.withLock { $0.append(job) } } }

  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
  }
}

/// A downloader that gives what it was told, for ever the last thing; it can be kept waiting.
final class ScriptedDownloader: ConfigDownloader {
  struct Failure: Error {}

  private struct Content: Sendable {
    var answer: Result<JSONValue?, Failure> = .success(nil)
    var asked: [String?] = []
    var isClosed = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let content = Monitor(Content())

  /// For whom it was asked.
  var asked: [String?] { content.withLock { $0.asked } }

  func give(_ document: JSONValue?) { content.withLock { $0.answer = .success(document) } }

  func fail() { content.withLock { $0.answer = .failure(Failure()) } }

  /// Has downloads wait until it is opened.
  func close() { content.withLock { $0.isClosed = true } }

  func open() {
    let waiting = content.withLock { content in
      defer { content.waiting = [] }
      content.isClosed = false
      return content.waiting
    }
    for download in waiting { download.resume() }
  }

  func requestConfiguration(user: String?) async throws -> JSONValue? {
    let answer = content.withLock { content in
      content.asked.append(user)
      return content.answer
    }
    await withCheckedContinuation { continuation in
      let isOpen = content.withLock { content in
        if content.isClosed { content.waiting.append(continuation) }
        return !content.isClosed
      }
      if isOpen { continuation.resume() }
    }
    return try answer.get()
  }

  /// Waits until so many downloads wait.
  func whenWaiting(_ count: Int) async {
    while content.withLock({ $0.waiting.count }) < count { await Task.yield() }
  }
}

/// What a listener heard.
final class Heard<Told: Sendable>: Sendable {
  private let content = Monitor<[Told]>([])

  var all: [Told] { content.withLock { $0 } }
  var count: Int { all.count }

  func hear(_ told: Told) { content.withLock { $0.append(told) } }
}

/// A front in a world by hand.
struct ConfigFixture {
  let world = ManualWorld()
  let delivery = HandDelivery()
  let downloader = ScriptedDownloader()
  let config: ActiveConfig
  private let initial: ConfigurationState?

  init(
    user: String? = nil, initial: ConfigurationState? = nil, schema: ConfigSchema? = nil,
    mode: ConfigurationState.Mode = .lenient, replaying events: [Event] = []
  ) {
    self.initial = initial
    config = ActiveConfig(
      downloader: downloader, user: user, initial: initial, schema: schema, mode: mode,
      deliver: delivery.deliver, surroundings: world.surroundings, replaying: events)
  }

  /// A front that the log so far makes.
  func rebuilt(user: String? = nil) -> ActiveConfig {
    ActiveConfig(
      downloader: downloader, user: user ?? config.user, initial: initial,
      surroundings: ManualWorld().surroundings, replaying: world.events)
  }

  /// Expects that the log gives back what the front knows and has in use.
  func expectRebuilt(sourceLocation: SourceLocation = #_sourceLocation) {
    let rebuilt = rebuilt()
    #expect(rebuilt.state == config.state, sourceLocation: sourceLocation)
    #expect(rebuilt.configuration == config.configuration, sourceLocation: sourceLocation)
    #expect(rebuilt.formatVersion == config.formatVersion, sourceLocation: sourceLocation)
  }

  /// Has a listener of the section that keeps what it hears.
  func listen(to section: String) -> (
    heard: Heard<ConfigSection?>, subscription: ConfigSubscription
  ) {
    let heard = Heard<ConfigSection?>()
    return (heard, config.register(section: section) { heard.hear($0) })
  }

  func download(_ document: JSONValue?) async throws -> ConfigDownloadOutcome {
    downloader.give(document)
    return try await config.download()
  }
}

extension ActiveConfig {
  var state: ActiveConfigState { recorder.read { $0 } }
}

/// The notices that a front gives while the body runs.
func notices(_ body: (ConfigFixture) async throws -> Void) async throws -> [ConfigNotice] {
  var fixture: ConfigFixture? = ConfigFixture()
  guard let stream = fixture?.config.notices, let delivery = fixture?.delivery else { return [] }
  if let fixture { try await body(fixture) }
  fixture = nil
  delivery.run()
  var notices: [ConfigNotice] = []
  for await notice in stream { notices.append(notice) }
  return notices
}

/// A document with the values of each section.
func document(
  _ sections: [String: [String: JSONValue]], meta: JSONObject = ["format_version_string": "1.0"]
) -> JSONValue {
  let members = sections.map { name, values in
    let settings = values.map { JSONObject.Member(name: $0.key, value: ["value": $0.value]) }
    return JSONObject.Member(name: name, value: ["settings": .object(JSONObject(settings))])
  }
  return ["meta": .object(meta), "config_sections": .object(JSONObject(members))]
}

/// A configuration with the values of each section.
func configuration(
  _ sections: [String: [String: JSONValue]], meta: JSONObject = ["format_version_string": "1.0"]
) throws -> ConfigurationState {
  try ConfigurationState(json: document(sections, meta: meta), at: Timestamp(microseconds: 0))
}
