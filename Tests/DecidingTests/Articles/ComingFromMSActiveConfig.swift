import Deciding
import Dispatch
import Events
import Testing
import Threads

/// What is bundled with the app.
private let bundledJSON = configurationText(chat: true, retries: 2, group: "A")

private func configurationText(chat: Bool, retries: Int, group: String) -> String {
  """
  {"meta": {"format_version_string": "1.0", "creation_time": "2012-08-20T19:36Z", "group": "\(group)"},
   "config_sections": {"AppFeatures": {"settings": {"ChatEnabled": {"value": \(chat)},
     "Retries": {"value": \(retries)}, "Help": {"value": "http://a.b/help me"}}}}}
  """
}

/// What an app does with its settings.
private final class Chat: Sendable {
  private let content = Monitor<(enabled: [Bool], notes: [String])>(([], []))

  var enabled: [Bool] { content.withLock { $0.enabled } }
  var notes: [String] { content.withLock { $0.notes } }
  var noteCount: Int { notes.count }

  func setEnabled(_ isEnabled: Bool) { content.withLock { $0.enabled.append(isEnabled) } }
  func note(_ notes: [String]) { content.withLock { $0.notes += notes } }
}

@Suite("Coming from MSActiveConfig")
struct ComingFromMSActiveConfig {
  private let log = MemorySink()
  private let chat = Chat()

  /// A server that has the user's group.
  private func fetch(_ path: String) async throws -> [UInt8] {
    let group = path.hasSuffix("user-7") ? "B" : "A"
    return Array(configurationText(chat: false, retries: 5, group: group).utf8)
  }

  private func make(replaying savedEvents: [Event] = []) throws -> ActiveConfig {
    let downloader = JSONConfigDownloader { user in
      try await fetch("/activeconfig/user/\(user ?? "")")
    }
    let activeConfig = ActiveConfig(
      downloader: downloader, initial: try ConfigurationState(parsing: bundledJSON),
      surroundings: Surroundings(sink: log), replaying: savedEvents)
    return activeConfig
  }

  @Test("documents are read leniently, and strictly on request")
  func documents() throws {
    let text = bundledJSON.replacing("}}}}}", with: "}}},}}")
    let state = try ConfigurationState(parsing: text, .tolerant)
    let checked = try ConfigurationState(parsing: text, .tolerant, mode: .strict)
    #expect(state == checked && state.formatVersion == "1.0")
    #expect(throws: ConfigError.self) { try ConfigurationState(parsing: text) }
  }

  @Test("settings are read from the initial configuration, and from the log after a restart")
  func reading() async throws {
    let activeConfig = try make()
    let features = activeConfig["AppFeatures"]
    let enabled = features?.boolForKey("ChatEnabled") ?? false
    let retries = features?.integerForKey("Retries", default: 3) ?? 3
    let title = features?.stringForKey("Title")
    let help = features?.urlForKey("Help")
    #expect(enabled && retries == 2 && title == nil && help == "http://a.b/help%20me")
    let exact = features?.int("Retries")
    let share = features?.double("Share")
    let flag = features?.bool("ChatEnabled")
    #expect(exact == 2 && share == nil && flag == true)

    let outcome = try await activeConfig.download()
    #expect(outcome == .applied)
    #expect(try await activeConfig.download() == .unchanged)
    let next = try make(replaying: log.events)
    #expect(next["AppFeatures"]?.int("Retries") == 5 && next.hasDownloaded)
  }

  @Test("a listener hears of the section, a stream too, and a change set names the keys")
  func listening() async throws {
    let activeConfig = try make()
    let subscription = activeConfig.register(section: "AppFeatures") { section in
      chat.setEnabled(section?.boolForKey("ChatEnabled") ?? false)
    }
    while chat.enabled.isEmpty { await Task.yield() }
    #expect(chat.enabled == [true])
    activeConfig.unregister(subscription)

    let changes = activeConfig.register(
      section: "AppFeatures", changes: { chat.note($0.added + $0.changed + $0.removed) })
    async let outcome = activeConfig.download()
    for await section in activeConfig.updates(section: "AppFeatures") {
      chat.setEnabled(section?.boolForKey("ChatEnabled") ?? false)
      if section?.int("Retries") == 5 { break }
    }
    #expect(try await outcome == .applied)
    #expect(chat.enabled.last == false)
    #expect(chat.notes == ["ChatEnabled", "Help", "Retries", "ChatEnabled", "Retries"])
    activeConfig.unregister(changes)
  }

  @Test("deliveries may come on the main queue")
  func mainQueue() throws {
    let downloader = JSONConfigDownloader { _ in [] }
    let onMain = ActiveConfig(
      downloader: downloader, deliver: { job in DispatchQueue.main.async { job() } },
      surroundings: Surroundings(sink: log))
    #expect(onMain["AppFeatures"] == nil)
  }

  @Test("notices tell of the first download and of the end of each")
  func noticing() async throws {
    let activeConfig = try make()
    let notices = activeConfig.notices
    #expect(!activeConfig.hasDownloaded)
    #expect(try await activeConfig.download() == .applied)
    for await notice in notices {
      switch notice {
      case .firstDownload: chat.note(["first"])
      case .updateFinished(let user, let meta, let isCurrent):
        chat.note(["\(user ?? "nobody"), group \(meta["group"] ?? .null), current: \(isCurrent)"])
      }
      if activeConfig.hasDownloaded, chat.noteCount == 2 { break }
    }
    #expect(chat.notes == ["first", #"nobody, group "A", current: true"#])
  }

  @Test("a user has a configuration, a group, and a history that can be restored")
  func users() async throws {
    let activeConfig = try make()
    activeConfig.setUser("user-7")
    #expect(activeConfig.user == "user-7" && activeConfig["AppFeatures"]?.int("Retries") == 2)
    #expect(try await activeConfig.download() == .applied)
    let group = activeConfig.meta["group"]
    try activeConfig.exposures(experiment: "title-test", metaKey: "group")
    #expect(group == "B")
    guard case .decision(let decision) = log.events.last?.payload else {
      Issue.record("no decision")
      return
    }
    #expect(decision.variant == "B" && decision.policy == "server" && decision.propensity == nil)

    try activeConfig.set(ConfigurationState(parsing: bundledJSON))
    let history = activeConfig.history(user: "user-7")
    if let earlier = history.first { try activeConfig.restore(position: earlier.position) }
    #expect(history.count == 2 && activeConfig["AppFeatures"]?.int("Retries") == 5)
    try activeConfig.removeStored(user: "user-7")
    #expect(activeConfig.configuration(of: "user-7") == activeConfig.configuration(of: "user-8"))
    #expect(!activeConfig.isStale(after: .seconds(86_400)))
  }

  @Test("a schema keeps a mistake of the server out of the app")
  func schemas() async throws {
    let schema = ConfigSchema([
      "AppFeatures": [
        "ChatEnabled": .boolean(default: false), "Retries": .integer(0...10, default: 3),
      ]
    ])
    let mistaken = Array(configurationText(chat: true, retries: 11, group: "A").utf8)
    let activeConfig = ActiveConfig(
      downloader: JSONConfigDownloader { _ in mistaken }, schema: schema,
      surroundings: Surroundings(sink: log))
    let error = ConfigError.wrongType(
      path: "config_sections.AppFeatures.settings.Retries.value",
      expected: "a whole number in 0 ... 10")
    #expect(try await activeConfig.download() == .ignored(.invalid(error)))
    #expect(try activeConfig.preview(ConfigurationState(parsing: bundledJSON)).count == 1)
  }
}
