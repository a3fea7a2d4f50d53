import DecidingCore
import Events
import Testing
import Threads

@testable import DecidingConfig

@Suite("Active configuration: listeners and downloads by the vectors")
struct ActiveConfigVectorTests {
  @Test("MS-T27: a listener hears of its section once when it arrives")
  func arrives() throws {
    let fixture = ConfigFixture()
    let (heard, subscription) = fixture.listen(to: "S")
    try fixture.config.set(configuration(["S": ["a": 1], "T": ["a": 2]]))
    #expect(heard.count == 0)
    fixture.delivery.run()
    #expect(heard.all.map { $0?.int("a") } == [1])
    fixture.expectRebuilt()
    fixture.config.unregister(subscription)
  }

  @Test("MS-T28: a listener removed before hears nothing")
  func removed() throws {
    let fixture = ConfigFixture()
    let (heard, subscription) = fixture.listen(to: "S")
    fixture.config.unregister(subscription)
    try fixture.config.set(configuration(["S": ["a": 1]]))
    fixture.delivery.run()
    #expect(heard.count == 0)
  }

  @Test("MS-V14: a released subscription ends its registration")
  func released() throws {
    let fixture = ConfigFixture()
    let heard = fixture.listen(to: "S").heard
    try fixture.config.set(configuration(["S": ["a": 1]]))
    fixture.delivery.run()
    #expect(heard.count == 0)
  }

  @Test("MS-T29: the same configuration twice is one delivery and one event")
  func twice() throws {
    let fixture = ConfigFixture()
    let (heard, subscription) = fixture.listen(to: "S")
    for _ in 0..<2 { try fixture.config.set(configuration(["S": ["a": 1]])) }
    fixture.delivery.run()
    #expect(heard.count == 1 && fixture.world.events.count == 1)
    fixture.expectRebuilt()
    fixture.config.unregister(subscription)
  }

  @Test("MS-T31: another section's change is none")
  func others() throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 1]]))
    let (heard, subscription) = fixture.listen(to: "S")
    fixture.delivery.run()
    try fixture.config.set(configuration(["S": ["a": 1], "T": ["a": 2]]))
    fixture.delivery.run()
    #expect(heard.count == 1)
    fixture.expectRebuilt()
    fixture.config.unregister(subscription)
  }

  @Test("MS-T32: who registers hears of the section that is there, not inside the call")
  func there() async throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 1]]))
    let (heard, subscription) = fixture.listen(to: "S")
    #expect(heard.count == 0)
    fixture.delivery.run()
    #expect(heard.all.map { $0?.int("a") } == [1])
    fixture.config.unregister(subscription)
  }

  @Test("MS-T33, T34, T35, MS-37: nothing at first, then once; nil when it goes, once")
  func comesAndGoes() throws {
    let fixture = ConfigFixture()
    let (heard, subscription) = fixture.listen(to: "S")
    fixture.delivery.run()
    #expect(heard.count == 0)
    try fixture.config.set(configuration(["S": ["a": 1]]))
    fixture.delivery.run()
    #expect(heard.all.map { $0?.int("a") } == [1])
    try fixture.config.set(configuration(["T": ["a": 1]]))
    try fixture.config.set(configuration(["T": ["a": 2]]))
    fixture.delivery.run()
    #expect(heard.all.map { $0?.int("a") } == [1, nil])
    fixture.expectRebuilt()
    fixture.config.unregister(subscription)
  }

  @Test("MS-T37: a downloaded configuration takes the place of the initial one")
  func downloadedOverInitial() async throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 1]]))
    #expect(try await fixture.download(document(["S": ["a": 2]])) == .applied)
    #expect(fixture.config["S"]?.int("a") == 2)
    fixture.expectRebuilt()
  }

  @Test("MS-T38: a download is applied and readable")
  func downloaded() async throws {
    let fixture = ConfigFixture(user: "u")
    let outcome = try await fixture.download(
      document(["ConfigKey": ["SomeConfig": "SomeValue"]], meta: [:]))
    #expect(outcome == .applied && fixture.downloader.asked == ["u"])
    for config in [fixture.config, fixture.rebuilt()] {
      #expect(config.section("ConfigKey")?.stringForKey("SomeConfig") == "SomeValue")
    }
    fixture.expectRebuilt()
  }

  @Test("MS-T39: two downloads that are applied give one first-download notice")
  func firstDownload() async throws {
    let notices = try await notices { fixture async throws in
      for value in Int64(1)...2 {
        #expect(try await fixture.download(document(["S": ["a": .integer(value)]])) == .applied)
      }
      fixture.expectRebuilt()
      // Once per log: not again after a restart.
      #expect(fixture.config.hasDownloaded && fixture.rebuilt().hasDownloaded)
    }
    let meta: JSONObject = ["format_version_string": "1.0"]
    let finished = ConfigNotice.updateFinished(user: nil, meta: meta, isCurrent: true)
    #expect(notices == [.firstDownload(user: nil), finished, finished])
  }

  @Test("MS-T40: a list is ignored, and what was in use stays")
  func ignoredDownload() async throws {
    let notices = try await notices { fixture async throws in
      try fixture.config.set(configuration(["S": ["a": 1]], meta: ["m": 1]))
      let outcome = try await fixture.download([1, 2])
      #expect(outcome == .ignored(.invalid(.notAnObject(path: ""))))
      #expect(fixture.config["S"]?.int("a") == 1 && fixture.world.events.count == 1)
      fixture.expectRebuilt()
    }
    #expect(notices == [.updateFinished(user: nil, meta: ["m": 1], isCurrent: false)])
  }

  @Test("MS-T41: a section that becomes a number is empty, and its listener is told")
  func becomesNumber() async throws {
    let fixture = ConfigFixture(initial: try configuration(["S": ["a": 1]]))
    let (heard, subscription) = fixture.listen(to: "S")
    fixture.delivery.run()
    let json: JSONValue = ["meta": [:], "config_sections": ["S": 5]]
    #expect(try await fixture.download(json) == .applied)
    fixture.delivery.run()
    #expect(heard.count == 2)
    #expect(heard.all.last??.keys == [])
    #expect(fixture.config["S"]?.keys == [])
    fixture.expectRebuilt()
    fixture.config.unregister(subscription)
  }

  @Test("MS-T42: a section that is there, and one that is not")
  func sections() throws {
    let fixture = ConfigFixture()
    try fixture.config.set(configuration(["S": ["a": 1]]))
    for config in [fixture.config, fixture.rebuilt()] {
      #expect(config["S"]?.name == "S" && config.section("S") == config["S"])
      #expect(config["T"] == nil)
    }
  }

  @Test("MS-T43, T44, T45: stored for a user, for nobody else, and taken away")
  func stored() throws {
    let fixture = ConfigFixture(user: "u")
    let state = try configuration(["S": ["a": 1]])
    try fixture.config.set(state)
    #expect(fixture.rebuilt(user: "u").configuration == state)
    #expect(fixture.rebuilt(user: "v").configuration.sectionNames.isEmpty)
    try fixture.config.removeStored(user: "u")
    #expect(
      fixture.rebuilt(user: "u").configuration == ConfigurationState(at: fixture.world.time.now))
    // What is in use stays until the user is looked up again.
    #expect(fixture.config.configuration == state)
    fixture.config.setUser("v")
    fixture.config.setUser("u")
    #expect(fixture.config.configuration.sectionNames.isEmpty)
    fixture.expectRebuilt()
  }

  @Test("MS-T46, T47, T48: the initial configuration holds as long as nothing is stored")
  func initial() throws {
    let initial = try configuration(["S": ["a": 1]])
    let fixture = ConfigFixture(user: "u", initial: initial)
    #expect(fixture.config.configuration == initial)
    let own = try configuration(["S": ["a": 2]])
    try fixture.config.set(own)
    #expect(fixture.rebuilt(user: "u").configuration == own)
    #expect(fixture.rebuilt(user: "v").configuration == initial)
    fixture.config.setUser("v")
    #expect(fixture.config.configuration == initial)
    fixture.config.setUser("u")
    #expect(fixture.config.configuration == own)
    fixture.expectRebuilt()
  }

  @Test("MS-V8: a user with nothing stored never keeps the previous user's configuration")
  func otherUser() throws {
    let fixture = ConfigFixture(user: "A")
    try fixture.config.set(configuration(["S": ["a": 1], "T": ["a": 2]]))
    let (heard, subscription) = fixture.listen(to: "S")
    let (other, second) = fixture.listen(to: "T")
    fixture.delivery.run()
    fixture.config.setUser("B")
    fixture.delivery.run()
    #expect(heard.all.map { $0?.int("a") } == [1, nil])
    #expect(other.all.map { $0?.int("a") } == [2, nil])
    #expect(fixture.config.configuration.sectionNames.isEmpty && fixture.world.events.count == 1)
    fixture.expectRebuilt()
    for subscription in [subscription, second] { fixture.config.unregister(subscription) }
  }

  @Test("MS-V9: a downloader that throws changes nothing")
  func failure() async throws {
    let notices = try await notices { fixture async throws in
      fixture.downloader.fail()
      await #expect(throws: ConfigError.downloadFailed("Failure()")) {
        try await fixture.config.download()
      }
      #expect(fixture.world.events.isEmpty)
      // The next one is not taken for running.
      #expect(try await fixture.download(document(["S": [:]])) == .applied)
    }
    #expect(notices.count == 2)
  }

  @Test("MS-V10: one download per user at a time")
  func alreadyRunning() async throws {
    let notices = try await notices { fixture async throws in
      fixture.downloader.give(document(["S": [:]]))
      fixture.downloader.close()
      let config = fixture.config
      async let first = config.download()
      await fixture.downloader.whenWaiting(1)
      #expect(try await fixture.config.download() == .alreadyRunning)
      #expect(fixture.downloader.asked == [nil])
      // Another user's download is another one.
      fixture.config.setUser("u")
      async let other = config.download()
      await fixture.downloader.whenWaiting(2)
      fixture.downloader.open()
      #expect(try await first == .stored(user: nil))
      #expect(try await other == .applied)
      fixture.expectRebuilt()
    }
    #expect(notices.count == 3)
  }

  @Test("MS-V11, MS-48: deliveries, then first-download, then update-finished")
  func order() async throws {
    let fixture = ConfigFixture()
    let subscriptions = ["T", "S"].map { fixture.config.register(section: $0) { _ in } }
    let stream = fixture.config.notices
    #expect(try await fixture.download(document(["S": [:], "T": [:]])) == .applied)
    var told: [String] = []
    while let step = fixture.config.announcer.content.withLock({ $0.nextStep() }) {
      switch step {
      case .tell(_, let change): told.append(change.name)
      case .notify(_, .firstDownload): told.append("first")
      case .notify(_, .updateFinished): told.append("finished")
      case .end, .nothing: told.append("?")
      }
    }
    #expect(told == ["S", "T", "first", "finished"])
    withExtendedLifetime((subscriptions, stream)) {}
  }

  @Test("MS-V12: setting the current user again notifies no one")
  func sameUser() throws {
    let fixture = ConfigFixture(user: "A")
    try fixture.config.set(configuration(["S": ["a": 1]]))
    let (heard, subscription) = fixture.listen(to: "S")
    fixture.delivery.run()
    fixture.config.setUser("A")
    fixture.delivery.run()
    #expect(heard.count == 1)
    fixture.config.unregister(subscription)
  }
}
