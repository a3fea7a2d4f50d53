import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingConfig

/// What a front must tell, kept in the plainest way: documents by user, listeners in a list, and what is to be
/// told in another.
private struct NaiveConfig {
  struct Listener {
    let section: String
    var isActive = true
    var heard: [JSONValue?] = []
  }

  var stored: [String: JSONValue] = [:]
  var user = ""
  var inUse: JSONValue
  let initial: JSONValue
  var listeners: [Listener] = []
  var pending: [(listener: Int, section: JSONValue?)] = []

  init(initial: JSONValue) {
    self.initial = initial
    inUse = initial
  }

  static func sections(_ document: JSONValue) -> [String: JSONValue] {
    var sections: [String: JSONValue] = [:]
    for member in document["config_sections"]?.object?.members ?? [] {
      sections[member.name] = member.value.object == nil ? [:] : member.value
    }
    return sections
  }

  mutating func use(_ document: JSONValue) {
    let (old, new) = (Self.sections(inUse), Self.sections(document))
    inUse = document
    for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
      for index in listeners.indices where listeners[index].isActive {
        if listeners[index].section == name { pending.append((index, new[name])) }
      }
    }
  }

  mutating func set(_ document: JSONValue) {
    let isSame = Self.sections(document) == Self.sections(inUse)
    if isSame, document["meta"] == inUse["meta"] { return }
    stored[user] = document
    use(document)
  }

  mutating func setUser(_ name: String) {
    guard name != user else { return }
    user = name
    use(stored[name] ?? stored[""] ?? initial)
  }

  mutating func register(_ section: String) {
    listeners.append(Listener(section: section))
    if let current = Self.sections(inUse)[section] {
      pending.append((listeners.count - 1, current))
    }
  }

  mutating func run() {
    for (listener, section) in pending where listeners[listener].isActive {
      listeners[listener].heard.append(section)
    }
    pending = []
  }
}

@Suite("Active configuration: deliveries to each listener")
struct ActiveConfigListenerTests {
  static let sectionNames = ["R", "S", "T"]

  static func randomDocument(_ generator: inout SeededGenerator) -> JSONValue {
    var sections: [JSONObject.Member] = []
    for name in sectionNames where generator.chance(0.6) {
      let settings: JSONValue = ["k": ["value": .integer(Int64(generator.index(2)))]]
      let odd = generator.chance(0.1)
      sections.append(.init(name: name, value: odd ? 5 : ["settings": settings]))
    }
    let meta: JSONValue = generator.chance(0.3) ? ["group": "B"] : [:]
    return ["meta": meta, "config_sections": .object(JSONObject(sections))]
  }

  @Test("agree with a naive model for random calls", arguments: 0..<20)
  func model(chunk: Int) async throws {
    for seed in UInt64(chunk * 25)..<UInt64(chunk * 25 + 25) {
      var generator = SeededGenerator(seed: seed)
      let initial = Self.randomDocument(&generator)
      var model = NaiveConfig(initial: initial)
      let fixture = ConfigFixture(
        initial: try ConfigurationState(json: initial, at: Timestamp(microseconds: 0)))
      var listeners: [(heard: Heard<ConfigSection?>, subscription: ConfigSubscription?)] = []
      for _ in 0..<40 {
        try await step(&generator, fixture, &model, &listeners)
      }
      fixture.delivery.run()
      model.run()
      #expect(listeners.count == model.listeners.count)
      for (listener, expected) in zip(listeners, model.listeners) {
        #expect(listener.heard.all.map { $0?.json } == expected.heard, "seed \(seed)")
      }
    }
  }

  private func step(
    _ generator: inout SeededGenerator, _ fixture: ConfigFixture, _ model: inout NaiveConfig,
    _ listeners: inout [(heard: Heard<ConfigSection?>, subscription: ConfigSubscription?)]
  ) async throws {
    let document = Self.randomDocument(&generator)
    switch generator.index(8) {
    case 0:
      let user = generator.pick(["", "A", "B"], or: "")
      fixture.config.setUser(user)
      model.setUser(user)
    case 1:
      try fixture.config.set(ConfigurationState(json: document, at: Timestamp(microseconds: 0)))
      model.set(document)
    case 2:
      _ = try await fixture.download(document)
      if !NaiveConfig.sections(document).isEmpty { model.set(document) }
    case 3:
      let user = generator.pick(["", "A", "B"], or: "")
      try fixture.config.removeStored(user: user)
      model.stored[user] = nil
    case 4, 5:
      let section = generator.pick(Self.sectionNames, or: "S")
      listeners.append(fixture.listen(to: section))
      model.register(section)
    case 6 where !listeners.isEmpty:
      let index = generator.index(listeners.count)
      if let subscription = listeners[index].subscription, generator.chance(0.5) {
        fixture.config.unregister(subscription)
      }
      listeners[index].subscription = nil
      model.listeners[index].isActive = false
    default:
      fixture.delivery.run()
      model.run()
    }
  }
}
