import DecidingCore
import Events
import Testing
import Threads

@testable import DecidingConfig

@Suite("Active configuration: beyond the original")
struct ActiveConfigBeyondTests {
  @Test("a change set has both sections and the keys that came, changed and went")
  func changeSets() throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 1, "b": 2]]))
    let heard = Heard<ConfigChange>()
    let subscription = fixture.config.register(section: "S", changes: { heard.hear($0) })
    let next = try configuration(["S": ["b": 3, "c": 4, "d": .null]])
    let preview = try fixture.config.preview(next)
    try fixture.config.set(next)
    try fixture.config.set(configuration(["T": [:]]))
    #expect(try fixture.config.preview(configuration(["T": [:]])).isEmpty)
    fixture.delivery.run()
    let changes = heard.all
    #expect(changes.map(\.name) == ["S", "S", "S"])
    #expect(changes.map(\.added) == [["a", "b"], ["c", "d"], []])
    #expect(changes.map(\.changed) == [[], ["b"], []])
    #expect(changes.map(\.removed) == [[], ["a"], ["b", "c", "d"]])
    #expect(changes.map { $0.old?.int("b") } == [nil, 2, 3])
    #expect(changes.map { $0.new?.int("b") } == [2, 3, nil])
    #expect(preview == [changes[1]])
    fixture.config.unregister(subscription)
  }

  private func decisions(_ fixture: ConfigFixture) -> [String] {
    fixture.world.events.compactMap { event in
      guard case .decision(let decision) = event.payload else { return nil }
      #expect(decision.policy == "server" && decision.propensity == nil && decision.status == nil)
      return "\(event.unit) \(decision.experiment) \(decision.variant)"
    }
  }

  @Test("a group that becomes another is a decision, so that conversions can be credited to it")
  func exposures() async throws {
    let fixture = ConfigFixture(user: "u")
    let config = fixture.config
    try config.set(configuration(["S": [:]], meta: ["group": "A"]))
    try config.exposures(experiment: "test", metaKey: "group")
    try config.exposures(experiment: "test", metaKey: "group")
    #expect(decisions(fixture) == ["u test A"])
    #expect(try await fixture.download(document(["S": [:]], meta: ["group": "B"])) == .applied)
    #expect(
      try await fixture.download(document(["S": [:]], meta: ["group": "B", "x": 1])) == .applied)
    #expect(decisions(fixture) == ["u test A", "u test B"])
    // Another user's group is that user's; back again it is the same as before.
    config.setUser("v")
    try config.set(configuration(["S": [:]], meta: ["group": 3]))
    config.setUser("u")
    #expect(decisions(fixture) == ["u test A", "u test B", "v test 3"])
    for odd in [.null, "", [], [:]] as [JSONValue] {
      try config.set(configuration(["S": [:]], meta: ["group": odd]))
    }
    try config.set(configuration(["S": [:]], meta: [:]))
    #expect(decisions(fixture).count == 3)
    fixture.expectRebuilt()
    // A restart does not log the group again.
    let next = ConfigFixture(user: "v", replaying: fixture.world.events)
    try next.config.exposures(experiment: "test", metaKey: "group")
    #expect(next.world.events.isEmpty)
    try next.config.exposures(experiment: "other", metaKey: "group")
    #expect(decisions(next) == ["v other 3"])
  }

  @Test("no user has no group, and a group that was not recorded comes with the next change")
  func exposuresLater() throws {
    let fixture = ConfigFixture()
    let config = fixture.config
    try config.exposures(experiment: "test", metaKey: "group")
    try config.set(configuration(["S": [:]], meta: ["group": "A"]))
    #expect(decisions(fixture).isEmpty)
    fixture.world.sink.refuse(true)
    config.setUser("u")
    fixture.world.sink.refuse(false)
    #expect(config.user == "u" && decisions(fixture).isEmpty)
    try config.set(configuration(["S": ["a": 1]], meta: ["group": "A"]))
    #expect(decisions(fixture) == ["u test A"])
    fixture.expectRebuilt()
  }

  @Test("history is in the log, and any configuration of it can be restored")
  func history() throws {
    let fixture = ConfigFixture(user: "u")
    let config = fixture.config
    let (heard, subscription) = fixture.listen(to: "S")
    try config.set(configuration(["S": ["a": 1]]))
    fixture.world.time.advance(seconds: 1)
    try config.set(configuration(["S": ["a": 2]]))
    config.setUser("v")
    try config.set(configuration(["S": ["a": 3]]))
    config.setUser("u")
    try config.removeStored(user: "u")
    try config.removeStored(user: "u")
    var history = config.history(user: "u")
    #expect(history.map(\.position) == [0, 1, 3])
    #expect(history.map(\.reason) == ["set", "set", "removed"])
    #expect(history.map(\.time.microseconds) == [0, 1_000_000, 1_000_000])
    #expect(history.map(\.changed) == [["S", "meta"], ["S"], ["S", "meta"]])
    #expect(history.map { $0.configuration?.section("S")?.int("a") } == [1, 2, nil])

    try config.restore(position: 0)
    try config.restore(position: 0)
    #expect(config["S"]?.int("a") == 1)
    // Another user's comes to that user.
    try config.restore(position: 2)
    #expect(config["S"]?.int("a") == 1 && config.history(user: "v").count == 1)
    history = config.history(user: "u")
    #expect(history.map(\.reason).last == "restored" && history.count == 4)
    for position in [3, 5, -1, .max] {
      #expect(throws: ConfigError.missing(path: "history[\(position)].configuration")) {
        try config.restore(position: position)
      }
    }
    fixture.delivery.run()
    #expect(heard.all.map { $0?.int("a") } == [1, 2, nil, 3, 2, 1])
    fixture.expectRebuilt()
    config.unregister(subscription)
  }

  @Test("what is in use but was removed can be restored to the log")
  func restoreInUse() throws {
    let fixture = ConfigFixture(user: "u")
    try fixture.config.set(configuration(["S": ["a": 1]]))
    try fixture.config.removeStored(user: "u")
    try fixture.config.restore(position: 0)
    #expect(fixture.rebuilt().configuration == fixture.config.configuration)
    #expect(fixture.config.history(user: "u").last?.changed == [])
  }

  private static let schema = ConfigSchema([
    "S": [
      "flag": .boolean(default: true), "count": .integer(0...10, default: 3),
      "share": .number(0...1), "mode": .text(oneOf: ["a", "b"], default: "a"),
      "name": .text(), "any": .number(), "list": .init(.list, default: [1]),
      "object": .init(.object), "whole": .integer(),
    ]
  ])

  @Test(
    "a schema refuses values of another type or outside the range",
    arguments: [
      ("flag", 1, "true or false"), ("count", 11, "a whole number in 0 ... 10"),
      ("count", 2.5, "a whole number in 0 ... 10"), ("count", "3", "a whole number in 0 ... 10"),
      ("count", .null, "a whole number in 0 ... 10"), ("share", 1.5, "a number in 0.0 ... 1.0"),
      ("mode", "c", #"one of "a", "b""#), ("name", 1, "a text"), ("any", true, "a number"),
      ("list", [:], "a list"), ("object", [], "an object"), ("whole", 1.5, "a whole number"),
    ] as [(String, JSONValue, String)])
  func violations(key: String, value: JSONValue, expected: String) async throws {
    let fixture = ConfigFixture(schema: Self.schema)
    let state = try configuration(["S": [key: value]])
    let error = ConfigError.wrongType(
      path: "config_sections.S.settings.\(key).value", expected: expected)
    #expect(throws: error) { try fixture.config.set(state) }
    #expect(throws: error) { try fixture.config.preview(state) }
    #expect(try await fixture.download(state.json) == .ignored(.invalid(error)))
    #expect(fixture.world.events.isEmpty)

    let free = ConfigFixture()
    try free.config.set(state)
    let later = ConfigFixture(schema: Self.schema, replaying: free.world.events)
    #expect(later.config["S"]?[key] == value)
    try later.config.set(configuration(["S": ["name": "n"]]))
    #expect(throws: error) { try later.config.restore(position: 0) }
  }

  @Test("a schema gives defaults for keys without a value, in sections that are there")
  func defaults() throws {
    let fixture = ConfigFixture(schema: Self.schema)
    let (heard, subscription) = fixture.listen(to: "S")
    #expect(fixture.config["S"] == nil)
    try fixture.config.set(configuration(["S": ["count": 7.0, "share": 1, "other": "x"]]))
    let section = try #require(fixture.config["S"])
    #expect(section.int("count") == 7 && section.bool("flag") == true)
    #expect(section.stringForKey("mode") == "a" && section.arrayForKey("list") == [1])
    #expect(section["name"] == nil && section.stringForKey("other") == "x")
    #expect(section.keys == ["count", "other", "share"])
    fixture.delivery.run()
    #expect(heard.all.map { $0?.bool("flag") } == [true])
    // The log has what was sent, without defaults.
    #expect(fixture.rebuilt().section("S")?["flag"] == nil)
    #expect(fixture.rebuilt().section("S") == section)
    fixture.config.unregister(subscription)
  }

  @Test("stale is what came to the log long ago, or never")
  func stale() throws {
    let fixture = ConfigFixture(initial: try configuration(["S": [:]]))
    let config = fixture.config
    #expect(config.isStale(after: .seconds(1)))
    fixture.world.time.advance(seconds: 10)
    try config.set(configuration(["S": ["a": 1]]))
    #expect(!config.isStale(after: .seconds(60)) && config.isStale(after: .zero))
    fixture.world.time.advance(seconds: 59.999999)
    #expect(!config.isStale(after: .seconds(60)))
    fixture.world.time.advance(microseconds: 1)
    #expect(config.isStale(after: .seconds(60)) && !config.isStale(after: .milliseconds(60_001)))
    #expect(
      !config.isStale(after: .seconds(Int64.max)) && config.isStale(after: .seconds(Int64.min)))
    config.setUser("u")
    #expect(config.isStale(after: .seconds(60)))
  }

  @Test("a stream of updates is a listener, and ends when the configuration is released")
  func updates() async throws {
    var fixture: ConfigFixture? = ConfigFixture(initial: try configuration(["S": ["a": 0]]))
    let (stream, delivery) = try (
      #require(fixture?.config.updates(section: "S")), #require(fixture?.delivery)
    )
    weak let announcer = fixture?.config.announcer
    try fixture?.config.set(configuration(["S": ["a": 1]]))
    try fixture?.config.set(configuration([:]))
    fixture = nil
    delivery.run()
    var heard: [Int?] = []
    for await section in stream { heard.append(section?.int("a")) }
    #expect(heard == [0, 1, nil])
    #expect(announcer == nil)
  }

  @Test("streams end also when what delivers is gone, and nothing holds on to the front")
  func cycles() async throws {
    weak var front: ActiveConfig?
    weak var announcer: Announcer?
    var streams: (AsyncStream<ConfigSection?>, AsyncStream<ConfigNotice>)?
    var subscription: ConfigSubscription?
    do {
      let config = ActiveConfig(
        downloader: ScriptedDownloader(), deliver: { _ in },
        surroundings: ManualWorld().surroundings)
      (front, announcer) = (config, config.announcer)
      streams = (config.updates(section: "S"), config.notices)
      subscription = config.register(section: "S") { _ in }
    }
    #expect(front == nil && announcer == nil)
    if let streams {
      for await _ in streams.0 { Issue.record("told") }
      for await _ in streams.1 { Issue.record("told") }
    }
    subscription = nil
    #expect(subscription == nil)
  }

  @Test("a consumer that stops listening to a stream is removed")
  func droppedStreams() throws {
    let fixture = ConfigFixture()
    do {
      let updates = fixture.config.updates(section: "S")
      let notices = fixture.config.notices
      withExtendedLifetime((updates, notices)) {}
    }
    let leaving = fixture.config.announcer.content.withLock { $0.removeAll() }
    #expect(leaving.listeners.isEmpty && leaving.streams.isEmpty)
  }

  @Test("the default delivery keeps the order, and comes from a task of the front")
  func serialDelivery() async throws {
    let config = ActiveConfig(
      downloader: ScriptedDownloader(), surroundings: ManualWorld().surroundings)
    let stream = config.updates(section: "S")
    for value in Int64(0)..<100 { try config.set(configuration(["S": ["a": .integer(value)]])) }
    var heard: [Int?] = []
    for await section in stream {
      heard.append(section?.int("a"))
      if heard.count == 100 { break }
    }
    #expect(heard == (0..<100).map { $0 })
  }

  @Test("a snapshot starts a front; another version or system is refused")
  func snapshots() throws {
    let fixture = ConfigFixture(user: "u")
    try fixture.config.set(configuration(["S": ["a": 1]], meta: ["group": "A"]))
    try fixture.config.exposures(experiment: "e", metaKey: "group")
    let snapshot = fixture.config.snapshot()
    try fixture.config.set(configuration(["S": ["a": 2]], meta: ["group": "A"]))
    func restored(_ text: String) throws(ConfigError) -> ActiveConfig {
      try ActiveConfig(
        downloader: fixture.downloader, user: "u", surroundings: ManualWorld().surroundings,
        restoring: text, replaying: fixture.world.events.dropFirst(2))
    }
    let next = try restored(snapshot)
    #expect(next.state == fixture.config.state && next["S"]?.int("a") == 2)
    #expect(next.snapshot() == fixture.config.snapshot())
    let broken = [
      "", "{}", snapshot.replacing(#""version":1"#, with: #""version":2"#),
      snapshot.replacing("active-config", with: "rollouts"),
      snapshot.replacing("hasDownloaded", with: "x"),
    ]
    for text in broken {
      do throws(ConfigError) {
        _ = try restored(text)
        Issue.record("\(text)")
      } catch {
        guard case .invalidSnapshot(let reason) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(reason.contains("replay the log"))
      }
    }
  }
}
