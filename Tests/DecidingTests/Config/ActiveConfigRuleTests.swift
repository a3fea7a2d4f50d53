import DecidingCore
import Events
import Testing

@testable import DecidingConfig

@Suite("Active configuration: rules beyond the vectors")
struct ActiveConfigRuleTests {
  @Test("MS-21: the last known configuration is in use at once, and nothing is downloaded")
  func start() throws {
    let fixture = ConfigFixture(user: "u")
    let state = try configuration(["S": ["a": 1]], meta: ["creation_time": "2012-08-20T19:36Z"])
    try fixture.config.set(state)
    let next = ConfigFixture(user: "u", replaying: fixture.world.events)
    #expect(next.config.configuration == state && next.config.creationTime == state.creationTime)
    #expect(next.downloader.asked.isEmpty && next.world.events.isEmpty)
  }

  @Test("MS-23: setting nil is ignored")
  func setNil() throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 1]]))
    try fixture.config.set(nil)
    #expect(fixture.config["S"] != nil && fixture.world.events.isEmpty)
  }

  @Test("MS-24: sections that are not in the new configuration go; the event names what differs")
  func changed() throws {
    let fixture = ConfigFixture(user: "u")
    try fixture.config.set(configuration(["S": ["a": 1], "T": ["b": [1, ["c": 2]]], "U": [:]]))
    try fixture.config.set(
      configuration(["T": ["b": [1, ["c": 3]]], "U": [:], "V": [:]], meta: ["group": "B"]))
    #expect(fixture.config["S"] == nil && fixture.config.meta == ["group": "B"])
    let event = try #require(fixture.world.events.last)
    guard case .configurationApplied(let applied) = event.payload else {
      Issue.record("\(event)")
      return
    }
    #expect(event.unit == "u" && applied.system == "active-config" && applied.reason == "set")
    #expect(applied.changed == ["S", "T", "V", "meta"] && applied.experiment == nil)
    #expect(applied.configuration?.text == fixture.config.configuration.json.description)
    fixture.expectRebuilt()
  }

  @Test("the empty configuration can be set, and what is in use is what the log gives back")
  func setEmpty() throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 1.0]]))
    try fixture.config.set(ConfigurationState(at: Timestamp(microseconds: 7)))
    #expect(fixture.config.configuration.sectionNames.isEmpty && fixture.config.meta.isEmpty)
    #expect(fixture.config.creationTime == nil)
    fixture.expectRebuilt()
  }

  @Test("MS-26: a change of meta alone is appended, and tells no listener")
  func metaAlone() async throws {
    let fixture = ConfigFixture(user: "u")
    try fixture.config.set(configuration(["S": ["a": 1]]))
    let (heard, subscription) = fixture.listen(to: "S")
    fixture.delivery.run()
    #expect(try await fixture.download(document(["S": ["a": 1]], meta: ["m": 2])) == .applied)
    fixture.delivery.run()
    #expect(heard.count == 1 && fixture.config.meta == ["m": 2])
    #expect(fixture.rebuilt().meta == ["m": 2] && fixture.config.formatVersion == "")
    fixture.expectRebuilt()
    fixture.config.unregister(subscription)
  }

  @Test("MS-29: no user, and one with an empty id, are one user")
  func noUser() throws {
    let fixture = ConfigFixture(user: "")
    #expect(fixture.config.user == nil)
    try fixture.config.set(configuration(["S": ["a": 1]]))
    #expect(fixture.world.events.map(\.unit) == [""])
    #expect(fixture.rebuilt(user: nil).configuration == fixture.config.configuration)
    #expect(fixture.config.history(user: nil) == fixture.config.history(user: ""))
    // MS-33: it is what users without one of their own get.
    #expect(fixture.config.configuration(of: "v") == fixture.config.configuration)
    try fixture.config.removeStored(user: nil)
    #expect(fixture.config.configuration(of: "v").sectionNames.isEmpty)
  }

  @Test("MS-30: listeners of the sections that differ are told, and no others")
  func otherUser() throws {
    let fixture = ConfigFixture(user: "A")
    try fixture.config.set(configuration(["S": ["a": 1], "T": ["a": 1]]))
    fixture.config.setUser("B")
    try fixture.config.set(configuration(["S": ["a": 1], "T": ["a": 2]]))
    let (same, first) = fixture.listen(to: "S")
    let (other, second) = fixture.listen(to: "T")
    fixture.config.setUser("A")
    fixture.delivery.run()
    #expect(same.all.map { $0?.int("a") } == [1])
    #expect(other.all.map { $0?.int("a") } == [2, 1])
    #expect(fixture.world.events.count == 2 && fixture.config.user == "A")
    fixture.expectRebuilt()
    for subscription in [first, second] { fixture.config.unregister(subscription) }
  }

  @Test("MS-35, MS-40: the first delivery comes before later changes, each with its own value")
  func values() throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 0]]))
    let (heard, subscription) = fixture.listen(to: "S")
    for value in Int64(1)...3 {
      try fixture.config.set(configuration(["S": ["a": .integer(value)]]))
    }
    fixture.delivery.run()
    #expect(heard.all.map { $0?.int("a") } == [0, 1, 2, 3])
    fixture.config.unregister(subscription)
  }

  @Test("MS-38: after unregister there is silence for what was queued; each registration is one")
  func registrations() throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 0]]))
    let heard = Heard<Int>()
    let subscriptions = (0..<3).map { number in
      fixture.config.register(section: "S") { _ in heard.hear(number) }
    }
    try fixture.config.set(configuration(["S": ["a": 1]]))
    fixture.config.unregister(subscriptions[1])
    fixture.config.unregister(subscriptions[1])
    // One of another front is left alone.
    let other = ConfigFixture()
    other.config.unregister(subscriptions[0])
    fixture.delivery.run()
    #expect(heard.all == [0, 2, 0, 2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("a listener may call the front, and hears of what it did later")
  func reentrance() throws {
    let fixture = ConfigFixture()
    let heard = Heard<Int?>()
    let config = fixture.config
    let subscription = config.register(section: "S") { [weak config] section in
      let value = section?.int("a") ?? 0
      heard.hear(value)
      guard value < 3 else { return }
      try? config?.set(configuration(["S": ["a": .integer(Int64(value) + 1)]]))
      heard.hear(nil)
    }
    try config.set(configuration(["S": ["a": 1]]))
    fixture.delivery.run()
    #expect(heard.all == [1, nil, 2, nil, 3])
    config.unregister(subscription)
  }

  @Test("a listener that holds the last reference to another's subscription stops no thread")
  func releasedInside() throws {
    final class Holder: Sendable {
      let subscription: ConfigSubscription
      init(_ subscription: ConfigSubscription) { self.subscription = subscription }
    }
    let fixture = ConfigFixture()
    let (heard, inner) = fixture.listen(to: "S")
    var outer: ConfigSubscription?
    do {
      let holder = Holder(inner)
      outer = fixture.config.register(section: "S") { _ in _ = holder }
    }
    if let outer { fixture.config.unregister(outer) }
    outer = nil
    try fixture.config.set(configuration(["S": [:]]))
    fixture.delivery.run()
    #expect(heard.count == 1)
    withExtendedLifetime(inner) {}
  }

  @Test("MS-43, MS-44: unchanged, nothing, no sections")
  func outcomes() async throws {
    let notices = try await notices { fixture async throws in
      #expect(try await fixture.download(nil) == .ignored(.nothing))
      let bare: JSONValue = ["meta": ["m": 1], "config_sections": [:]]
      #expect(try await fixture.download(bare) == .ignored(.noSections))
      #expect(fixture.world.events.isEmpty)
      try fixture.config.set(configuration(["S": [:]], meta: ["m": 2]))
      #expect(try await fixture.download(document(["S": [:]], meta: ["m": 2])) == .unchanged)
      #expect(fixture.world.events.count == 1)
      fixture.expectRebuilt()
    }
    #expect(
      notices == [
        .updateFinished(user: nil, meta: [:], isCurrent: false),
        .updateFinished(user: nil, meta: ["m": 1], isCurrent: false),
        .updateFinished(user: nil, meta: ["m": 2], isCurrent: true),
      ])
  }

  @Test("MS-45: when the user changed meanwhile it is stored for the requested user")
  func userChanged() async throws {
    let notices = try await notices { fixture async throws in
      let config = fixture.config
      config.setUser("A")
      fixture.downloader.give(document(["S": ["a": 1]], meta: ["m": 1]))
      fixture.downloader.close()
      async let outcome = config.download()
      await fixture.downloader.whenWaiting(1)
      config.setUser("B")
      let (heard, subscription) = fixture.listen(to: "S")
      fixture.downloader.open()
      #expect(try await outcome == .stored(user: "A"))
      fixture.delivery.run()
      #expect(heard.count == 0 && config["S"] == nil)
      #expect(config.history(user: "A").map(\.reason) == ["stored"])
      #expect(config.configuration(of: "A").section("S")?.int("a") == 1)
      #expect(!config.hasDownloaded)
      fixture.expectRebuilt()
      config.unregister(subscription)
    }
    #expect(notices == [.updateFinished(user: "A", meta: ["m": 1], isCurrent: false)])
  }

  @Test("a user who is back when the download ends is the current one")
  func userIsBack() async throws {
    let fixture = ConfigFixture(user: "A")
    let config = fixture.config
    fixture.downloader.give(document(["S": ["a": 1]]))
    fixture.downloader.close()
    async let outcome = config.download()
    await fixture.downloader.whenWaiting(1)
    config.setUser("B")
    config.setUser("A")
    fixture.downloader.open()
    #expect(try await outcome == .applied)
    fixture.expectRebuilt()
  }

  @Test("a cancelled download leaves nothing behind")
  func cancelled() async throws {
    let notices = try await notices { fixture async throws in
      let config = fixture.config
      fixture.downloader.give(document(["S": ["a": 1]]))
      fixture.downloader.close()
      let task = Task { try await config.download() }
      await fixture.downloader.whenWaiting(1)
      task.cancel()
      fixture.downloader.open()
      await #expect(throws: ConfigError.downloadFailed("the task was cancelled")) {
        try await task.value
      }
      #expect(config["S"] == nil && fixture.world.events.isEmpty)
      #expect(try await config.download() == .applied)
    }
    #expect(notices.count == 2)
  }

  @Test("MS-42: bytes that are not JSON are a failed download, with the place")
  func noJSON() async throws {
    let config = ActiveConfig(
      downloader: JSONConfigDownloader { _ in Array("{\"meta\":\n1,}".utf8) },
      surroundings: ManualWorld().surroundings)
    do throws(ConfigError) {
      _ = try await config.download()
      Issue.record("no error")
    } catch {
      guard case .downloadFailed(let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.contains("line 2, column 3 (byte 11)"))
    }
  }

  @Test("strict mode goes for downloads")
  func strictDownloads() async throws {
    let fixture = ConfigFixture(mode: .strict)
    let outcome = try await fixture.download(document(["S": [:]]))
    #expect(outcome == .ignored(.invalid(.missing(path: "meta.creation_time"))))
  }

  @Test("G-5: when the sink refuses nothing changes, and the call says so")
  func refusingSink() async throws {
    let notices = try await notices { fixture async throws in
      let config = fixture.config
      let (heard, subscription) = fixture.listen(to: "S")
      try config.set(configuration(["S": ["a": 0]]))
      try config.set(configuration(["S": ["a": 1]]))
      let (state, before) = (config.state, config.configuration)
      fixture.world.sink.refuse(true)
      #expect {
        try config.set(configuration(["S": ["a": 2]]))
      } throws: {
        MoodySink.isRefusal($0)
      }
      #expect {
        try config.removeStored(user: nil)
      } throws: {
        MoodySink.isRefusal($0)
      }
      await #expect {
        try await fixture.download(document(["S": ["a": 3]]))
      } throws: {
        MoodySink.isRefusal($0)
      }
      config.setUser("u")
      #expect {
        try config.restore(position: 0)
      } throws: {
        MoodySink.isRefusal($0)
      }
      #expect {
        try config.exposures(experiment: "e", metaKey: "format_version_string")
      } throws: {
        MoodySink.isRefusal($0)
      }
      #expect(config.state == state && config.configuration == before && config.user == "u")
      fixture.world.sink.refuse(false)
      fixture.delivery.run()
      #expect(heard.count == 2)
      fixture.expectRebuilt()
      config.unregister(subscription)
    }
    #expect(notices.isEmpty)
  }

  @Test("G-4: events that fit nothing change nothing")
  func foreignEvents() {
    let payloads: [Payload] = [
      .configurationApplied(ConfigurationApplied(system: "rollouts", configuration: .null)),
      .configurationApplied(ConfigurationApplied(system: "active-config")),
      .configurationApplied(ConfigurationApplied(system: "active-config", configuration: .null)),
      .configurationApplied(
        ConfigurationApplied(system: "active-config", configuration: JSONText(validated: "{"))),
      .configurationApplied(
        ConfigurationApplied(system: "active-config", configuration: JSONText(validated: "{}"))),
      .configurationApplied(
        ConfigurationApplied(
          system: "active-config", experiment: "e", reason: "set",
          configuration: document(["S": [:]]).jsonText)),
      .decision(Decision(experiment: "e", variant: "a", policy: "thompson")),
      .sessionExpired(SessionExpired()), .goal(Goal(experiment: "e", goal: "g")),
    ]
    for payload in payloads {
      let event = Event(time: Timestamp(microseconds: 0), unit: "u", payload: payload)
      #expect(ActiveConfigState(replaying: [event]) == ActiveConfigState(), "\(payload)")
    }
  }

  @Test("every error says what is wrong, where, and how to fix it")
  func errors() {
    let errors: [(ConfigError, [String])] = [
      (.notAnObject(path: ""), ["the document", "{\"meta\""]),
      (.notAnObject(path: "meta"), ["meta is", "{\"meta\""]),
      (.missing(path: "meta"), ["meta", "add it"]),
      (.wrongType(path: "a.b", expected: "a text"), ["a.b", "a text", "mend"]),
      (.unsupportedVersion("2.0"), ["2.0", "meta.format_version_string", "version 1"]),
      (.invalidJSON(line: 2, column: 3, byte: 9, reason: "r"), ["line 2", "column 3", "9", "r"]),
      (.downloadFailed("r"), ["r", "try again"]), (.notRecorded("r"), ["r", "mend the sink"]),
      (.invalidSnapshot("r; replay the log instead"), ["r", "replay"]),
    ]
    for (error, parts) in errors {
      for part in parts { #expect("\(error)".contains(part)) }
    }
    for reason in [
      ConfigDownloadOutcome.Reason.nothing, .noSections, .invalid(.missing(path: "x")),
    ] {
      #expect(!"\(reason)".isEmpty)
    }
  }
}
