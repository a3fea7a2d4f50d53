internal import Events

/// A listener of a section.
enum Listener: Sendable {
  case section(@Sendable (ConfigSection?) -> Void)
  case changes(@Sendable (ConfigChange) -> Void)
  case stream(AsyncStream<ConfigSection?>.Continuation)
}

/// The state of an announcer behind its lock. Nothing here calls a listener.
struct AnnouncerContent: Sendable {
  private enum Queued {
    case change(ConfigChange, listener: Int)
    case notice(ConfigNotice, streamsBefore: Int)
    case end
  }

  private(set) var inUse: InUse
  var exposures: [Exposure] = []
  var downloads: Set<UnitID> = []
  var streams: [Int: AsyncStream<ConfigNotice>.Continuation] = [:]
  private var listeners: [Int: (section: SectionID, listener: Listener)] = [:]
  /// The listeners of each section, in the order of registration.
  private var order: [SectionID: [Int]] = [:]
  private var nextID = 0
  private var queue: [Queued] = []
  private var queueStart = 0
  /// Whether draining the queue is already scheduled.
  private var isScheduled = false

  init(inUse: InUse) { self.inUse = inUse }

  mutating func use(_ new: InUse) {
    let old = inUse
    inUse = new
    for name in new.configuration.changedSections(since: old.configuration) {
      guard let ids = order[SectionID(name)] else { continue }
      let change = ConfigChange(name: name, old: old.section(name), new: new.section(name))
      for id in ids { queue.append(.change(change, listener: id)) }
    }
  }

  mutating func queue(_ notice: ConfigNotice) {
    if !streams.isEmpty { queue.append(.notice(notice, streamsBefore: nextID)) }
  }

  mutating func register(_ section: SectionID, _ listener: Listener) -> Int {
    let id = newID()
    listeners[id] = (section, listener)
    order[section, default: []].append(id)
    if let current = inUse.section(section.rawValue) {
      let change = ConfigChange(name: section.rawValue, old: nil, new: current)
      queue.append(.change(change, listener: id))
    }
    return id
  }

  mutating func unregister(_ id: Int) -> Listener? {
    guard let (section, listener) = listeners.removeValue(forKey: id) else { return nil }
    order[section]?.removeAll { $0 == id }
    if order[section]?.isEmpty == true { order[section] = nil }
    return listener
  }

  mutating func add(_ stream: AsyncStream<ConfigNotice>.Continuation) -> Int {
    let id = newID()
    streams[id] = stream
    return id
  }

  mutating func close() { queue.append(.end) }

  /// Returns whether draining the queue must be scheduled.
  mutating func schedule() -> Bool {
    guard !isScheduled, queueStart < queue.count else { return false }
    isScheduled = true
    return true
  }

  /// Returns the next delivery; nil when there is none, and draining ends.
  mutating func nextStep() -> Step? {
    guard queueStart < queue.count else {
      queue.removeAll(keepingCapacity: true)
      (queueStart, isScheduled) = (0, false)
      return nil
    }
    defer { queueStart += 1 }
    switch queue[queueStart] {
    case .change(let change, let id):
      guard let listener = listeners[id]?.listener else { return .nothing }
      return .tell(listener, change)
    case .notice(let notice, let limit):
      return .notify(streams.filter { $0.key < limit }.map(\.value), notice)
    case .end: return .end(removeAll())
    }
  }

  /// Removes all listeners and streams, and returns them.
  mutating func removeAll() -> Leaving {
    let leaving = Leaving(
      listeners: listeners.values.map(\.listener), streams: Array(streams.values))
    listeners = [:]
    order = [:]
    streams = [:]
    return leaving
  }

  private mutating func newID() -> Int {
    defer { nextID += 1 }
    return nextID
  }
}

/// Removed listeners and streams, to be released outside of any lock.
struct Leaving: Sendable {
  let listeners: [Listener]
  let streams: [AsyncStream<ConfigNotice>.Continuation]

  /// Ends the streams.
  func finish() {
    for case .stream(let stream) in listeners { stream.finish() }
    for stream in streams { stream.finish() }
  }
}

/// A delivery to be made outside of any lock.
enum Step: Sendable {
  case tell(Listener, ConfigChange)
  case notify([AsyncStream<ConfigNotice>.Continuation], ConfigNotice)
  case end(Leaving)
  case nothing

  func run() {
    switch self {
    case .tell(.section(let handler), let change): handler(change.new)
    case .tell(.changes(let handler), let change): handler(change)
    case .tell(.stream(let stream), let change): stream.yield(change.new)
    case .notify(let streams, let notice): for stream in streams { stream.yield(notice) }
    case .end(let leaving): leaving.finish()
    case .nothing: break
    }
  }
}
