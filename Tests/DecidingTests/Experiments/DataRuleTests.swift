import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingExperiments

/// A sink that takes everything and can be told not to make it durable.
private final class FleetingSink: EventSink {
  struct Full: Error {}
  private let isDurable = Monitor(true)
  private let memory = MemorySink()

  var events: [Event] { memory.events }
  func durable(_ isDurable: Bool) { self.isDurable.withLock { $0 = isDurable } }
  func append(_ events: [Event]) throws -> Range<UInt64> { try memory.append(events) }
  func flush() async throws { if !isDurable.withLock({ $0 }) { throw Full() } }
}

@Suite("Experiments: rules of data, conversions and flushes")
struct DataRuleTests {
  @Test(
    "KA-8, G-7 data are no event until they are sent, and keep the time at which they were added")
  func times() async throws {
    let world = try ExperimentsWorld(.halves)
    world.time.advance(seconds: 1)
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    world.time.advance(seconds: 1)
    try world.client.addData(userID: "u", data: VisitorInterest(2))
    #expect(world.told.isEmpty)
    world.time.advance(seconds: 1)
    try await world.client.flush(userID: "u")
    #expect(world.told.map(\.time.microseconds) == [1_000_000, 2_000_000, 3_000_000])
    try world.expectReplays()
  }

  @Test("KA-10 a flush of all goes in the order of the ids, and through at once when nothing waits")
  func flushAll() async throws {
    let world = try ExperimentsWorld()
    for user in ["b", "a", "10", "9"] {
      try world.client.addData(userID: user, data: VisitorInterest(1))
    }
    try world.client.addData(userID: "c", data: VisitorInterest(1), track: false)
    try await world.client.flush()
    #expect(world.told.map(\.unit) == ["10", "10", "9", "9", "a", "a", "b", "b"])
    #expect(world.summary.prefix(2) == ["interest 1", "activity"])
    try await world.client.flush()
    #expect(world.told.count == 8)
    try world.expectReplays()
  }

  @Test("KA-10 handlers hear false when the log refuses, and when the call is refused")
  func handlers() async throws {
    let world = try ExperimentsWorld()
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    world.world.sink.refuse(true)
    let calls: [@Sendable (@escaping @Sendable (Bool) -> Void) -> Void] = [
      { world.client.flush(userID: "u", completionHandler: $0) },
      { world.client.flush(userID: "", completionHandler: $0) },
      { world.client.trackConversion(userID: "u", goalID: 1, completionHandler: $0) },
      {
        world.client.trackConversion(
          userID: "u", goalID: 1, revenue: .nan, completionHandler: $0)
      },
    ]
    for call in calls {
      #expect(
        await withCheckedContinuation { done in call { done.resume(returning: $0) } } == false)
    }
    world.world.sink.refuse(false)
    #expect(
      await withCheckedContinuation { done in
        world.client.trackConversion(userID: "u", goalID: 2) { done.resume(returning: $0) }
      })
    #expect(world.summary == ["interest 1", "conversion 1", "conversion 2", "activity"])
    world.client.flush(userID: "u", completionHandler: nil)
    #expect(world.told.count == 5)
  }

  @Test("KA-20 events accepted by the log but not yet durable are not sent again")
  func durability() async throws {
    let sink = FleetingSink()
    let factory = ClientFactory(
      loader: ManualExperimentLoader(),
      surroundings: Surroundings(time: ManualTime(), ids: CountingIDs(), sink: sink))
    let client = factory.create(siteCode: "site")
    try client.addData(userID: "u", data: VisitorInterest(1))
    sink.durable(false)
    await #expect(throws: ExperimentError.self) { try await client.flush(userID: "u") }
    #expect(sink.events.count == 2)
    sink.durable(true)
    try await client.flush(userID: "u")
    #expect(sink.events.map(ExperimentsWorld.summary) == ["interest 1", "activity", "activity"])
    #expect(Set(sink.events.map(\.id)).count == 3)
  }

  @Test("KA-20 a flush of all that is refused keeps everything")
  func refusedFlush() async throws {
    let world = try ExperimentsWorld()
    for user in ["a", "b"] { try world.client.addData(userID: user, data: VisitorInterest(1)) }
    world.world.sink.refuse(true)
    await #expect {
      try await world.client.flush()
    } throws: {
      MoodySink.isRefusal($0)
    }
    world.world.sink.refuse(false)
    try await world.client.flush()
    #expect(world.summary == ["interest 1", "activity", "interest 1", "activity"])
  }

  @Test("KA-43 revenue is 0 and negative false unless given; metadata keep the first of an index")
  func conversionDefaults() throws {
    let plain = Conversion(goalID: 1)
    #expect(plain.revenue == 0 && plain.negative == false && plain.metadata == nil)
    let metadata = [
      CustomData(index: 1, value: "a"), CustomData(id: 1, value: "b"),
      CustomData(index: 2, values: []),
    ]
    let told = Conversion(goalID: 1, revenue: -2, negative: true, metadata: metadata)
    #expect(told.metadata == ["1": "a", "2": ""])
    for revenue in [Double.nan, .infinity, -.infinity] {
      let world = try ExperimentsWorld()
      #expect(throws: ExperimentError.self) {
        try world.client.addData(
          userID: "u", data: VisitorInterest(1), Conversion(goalID: 1, revenue: revenue))
      }
      #expect(world.client.buffer.withLock { $0.isEmpty })
    }
  }

  @Test("KA-44 conversions add up, custom data overwrite, the latest device wins, pages count")
  func addingUp() async throws {
    let world = try ExperimentsWorld()
    let data: [any VisitorData] = [
      Conversion(goalID: 1, revenue: 2), Conversion(goalID: 1, revenue: 2), Conversion(goalID: 2),
      CustomData(index: 1, value: "a"), CustomData(index: 1, value: "b"),
      CustomData(index: 2, value: "c"),
      VisitorDevice.phone, VisitorDevice.desktop, VisitorBrowser("firefox", version: "1"),
      VisitorBrowser("chrome"),
      VisitorSystem("linux", version: "6.1"), ApplicationVersion("1.0"), ApplicationVersion("1.1"),
      PageView("/a", title: "A"), PageView("/b"), PageView("/a"),
      VisitorCookie(["k": "1", "j": "2"]),
      VisitorCookie(["k": "3"]), UniqueIdentifier("me"), VisitorInterest(4), VisitorInterest(4),
    ]
    try world.client.addData(userID: "u", data)
    try await world.client.flush(userID: "u")
    for factory in [world.factory, try world.rebuilt().factory] {
      let known = try #require(factory.state.visitors["u"]?.knowledge)
      #expect(known.conversions[1]?.count == 2 && known.conversions[1]?.revenue == 4)
      #expect(known.conversions[2]?.count == 1)
      #expect(known.custom == ["1": ["b"], "2": ["c"]])
      #expect(known.device == .desktop && known.browser == VisitorBrowser("chrome"))
      #expect(known.system == VisitorSystem("linux", version: "6.1"))
      #expect(known.applicationVersion == "1.1" && known.uniqueIdentifier == "me")
      #expect(known.pages["/a"]?.views == 2 && known.pages["/a"]?.title == "A")
      #expect(known.pages["/b"]?.views == 1)
      #expect(known.currentPage == "/a" && known.previousPage == "/b")
      #expect(known.cookies == ["k": "3", "j": "2"] && known.interests == ["4": 2])
    }
    try world.expectReplays()
  }

  @Test("KA-42 a place holds as a whole: what the latest does not say is unknown")
  func place() async throws {
    let world = try ExperimentsWorld()
    let paris = VisitorPlace(
      country: "FR", region: "IDF", city: "Paris", postalCode: "75001", latitude: 48.85,
      longitude: 2.35)
    try world.client.addData(userID: "u", data: paris)
    try await world.client.flush()
    #expect(world.factory.state.visitors["u"]?.knowledge.place == paris)
    for place in [
      VisitorPlace(city: "Metz"), VisitorPlace(), VisitorPlace(country: "DE", latitude: 0),
    ] {
      try world.client.addData(userID: "u", data: place)
      try await world.client.flush()
      #expect(world.factory.state.visitors["u"]?.knowledge.place == place)
    }
    try world.expectReplays()
  }

  @Test("KA-45 custom data may have several values and a name, and may join those known")
  func severalValues() async throws {
    let world = try ExperimentsWorld()
    func known() async throws -> [TextKey: [String]]? {
      try await world.client.flush(userID: "u")
      try world.expectReplays()
      return world.factory.state.visitors["u"]?.knowledge.custom
    }
    try world.client.addData(userID: "u", data: CustomData(index: 1, values: ["a", "b"]))
    #expect(try await known() == ["1": ["a", "b"]])
    try world.client.addData(
      userID: "u", data: CustomData(index: 1, values: ["c", "d"], overwrites: false))
    #expect(try await known() == ["1": ["a", "b", "c", "d"]])
    try world.client.addData(userID: "u", data: CustomData(name: "plan", values: ["pro"]))
    try world.client.addData(userID: "u", data: CustomData(index: 1, values: [], overwrites: false))
    #expect(try await known() == ["1": ["a", "b", "c", "d"], "plan": ["pro"]])
    try world.client.addData(userID: "u", data: CustomData(index: 1, values: []))
    #expect(try await known() == ["plan": ["pro"]])
  }

  @Test("KA-67 when the buffer is full the oldest datum of any user is dropped and counted")
  func overflow() async throws {
    let world = try ExperimentsWorld(settings: ExperimentSettings(bufferCapacity: 3))
    for index in 1...3 { try world.client.addData(userID: "u", data: VisitorInterest(index)) }
    #expect(world.client.droppedData == 0)
    try world.client.addData(userID: "v", data: CustomData(index: 4, values: ["a", "b"]))
    try world.client.addData(userID: "v", data: VisitorInterest(5))
    #expect(world.client.droppedData == 2)
    try await world.client.flush()
    #expect(
      world.summary == [
        "interest 3", "activity", "custom 4", "customAppended 4", "interest 5", "activity",
      ])
    for index in 0..<2_000 {
      try world.client.addData(userID: "u\(index % 7)", data: VisitorInterest(index))
      if index % 5 == 0 { try await world.client.flush(userID: "u\(index % 3)") }
    }
    #expect(world.client.droppedData > 1_000)
    try world.expectReplays()
  }

  @Test("KA-67 the buffer holds what a plain list would hold", arguments: 0..<50 as Range<UInt64>)
  func bufferModel(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let capacity = 1 + generator.index(8)
    var buffer = DataBuffer(capacity: capacity)
    var model: [(unit: UnitID, event: Event, isTracked: Bool)] = []
    var dropped = 0
    for step in 0..<400 {
      let unit = UnitID("u\(generator.index(4))")
      if generator.chance(0.7) {
        let event = Event(
          time: Timestamp(microseconds: Int64(step)), unit: unit,
          payload: .dataPoint(DataPoint(kind: "x")))
        let isTracked = generator.chance(0.7)
        if model.count == capacity {
          model.removeFirst()
          dropped += 1
        }
        model.append((unit, event, isTracked))
        buffer.add([event], of: unit, isTracked: isTracked)
      } else {
        model.removeAll { $0.unit == unit && $0.isTracked }
        buffer.sent(unit)
      }
      #expect(
        buffer.pending(of: unit) == model.filter { $0.unit == unit && $0.isTracked }.map(\.event),
        "seed \(seed)")
      #expect(
        buffer.known(of: unit) == model.filter { $0.unit == unit }.map(\.event), "seed \(seed)")
      #expect(buffer.units == Set(model.filter(\.isTracked).map(\.unit)).sorted(), "seed \(seed)")
      #expect(buffer.isEmpty == model.isEmpty && buffer.dropped == dropped, "seed \(seed)")
    }
  }

  @Test("KA-11 data are activity where the settings say so, at the time at which they were added")
  func dataIsActivity() async throws {
    let world = try ExperimentsWorld(.halves, settings: ExperimentSettings(dataIsActivity: true))
    _ = try world.client.triggerExperiment("u", 75253)
    world.time.advance(seconds: 1_740)
    try world.client.addData(userID: "u", data: VisitorInterest(1))
    world.time.advance(seconds: 61)
    _ = try world.client.triggerExperiment("u", 75253)
    #expect(world.client.visit(of: "u")?.start.microseconds == 0)
    #expect(
      world.summary.suffix(3) == ["interest 1", "activity", "repeated 187791 sticky"]
        || world.summary.suffix(3) == ["interest 1", "activity", "repeated 148382 sticky"])
    try world.expectReplays()
  }
}
