internal import DecidingAgents
internal import DecidingCore
internal import EventLog
internal import Events

/// Appends events that clients send, and applies them to all systems in the order of the log.
struct EventAppender {
  let systems: Systems

  /// The number of events that are appended before other requests may proceed.
  private static let portion = 1_000

  /// The outcome of a request.
  struct Answer: Sendable {
    var appended = 0
    var alreadyThere = 0
    /// The number of those whose content is another: the log has a different event of the same kind, id and slot.
    var differ = 0
    /// The first of these, at most as many as of ``rejections``.
    var differing: [SentEvents.Rejection] = []
    /// The position after the last event of the log.
    var position: UInt64 = 0
    var rejected = 0
    var rejections: [SentEvents.Rejection] = []

    var json: JSONValue {
      var object: JSONObject = [
        "appended": .integer(Int64(appended)), "already_there": .integer(Int64(alreadyThere)),
        "rejected": .integer(Int64(rejected)),
        "position": .integer(Int64(clamping: position)),
      ]
      if !rejections.isEmpty { object["rejections"] = Self.list(rejections) }
      if differ > 0 {
        object["differ"] = .integer(Int64(differ))
        object["differing"] = Self.list(differing)
      }
      return .object(object)
    }

    private static func list(_ lines: [SentEvents.Rejection]) -> JSONValue {
      .array(lines.map { ["line": .integer(Int64($0.line)), "message": .string($0.message)] })
    }

    /// Counts an event that was not appended because another has its id.
    mutating func add(differing record: EventRecord, line: Int, at position: UInt64?) {
      differ += 1
      guard differing.count < SentEvents.shownRejections else { return }
      let id = record.string(.id).map { String($0.prefix(100)) } ?? ""
      let place = position.map { " at position \($0)" } ?? ""
      differing.append(
        SentEvents.Rejection(
          line: line, byte: nil,
          reason:
            "the log has another \(record.kind.name) with the id \(id.debugDescription)\(place)"
            + " and other content; this one was not appended: send it with an id of its own"))
    }
  }

  /// Appends events.
  ///
  /// - Parameters:
  ///   - sent: The events.
  ///   - batch: The producer and the number of the batch; nil for events that are told apart by their ids.
  /// - Returns: How many were appended, which is durable after the next commit.
  /// - Throws: ``IngestionProblem/Gap``; `LogError` if the log cannot be written.
  func append(
    _ sent: SentEvents, _ batch: (producer: ProducerID, sequence: UInt64)? = nil
  ) throws -> Answer {
    var answer = Answer(rejected: sent.rejected, rejections: sent.rejections)
    answer.position = systems.writer.nextPosition
    // Where the log cannot be written, neither can the events be, which is reported.
    try? systems.agents.confirmPrefetched(for: sent.events)
    if let batch {
      try append(sent, batch.producer, batch.sequence, &answer)
    } else {
      for start in stride(from: 0, to: sent.records.count, by: Self.portion) {
        let range = start..<min(start + Self.portion, sent.records.count)
        try append(sent, range, &answer)
      }
    }
    return answer
  }

  /// Appends those of the events whose ids the log does not have.
  private func append(
    _ sent: SentEvents, _ range: Range<Int>, _ answer: inout Answer
  ) throws(LogError) {
    typealias Differing = (index: Int, position: UInt64?)
    let (appended, position, differing) = try systems.appendForAll { writer throws(LogError) in
      var logged: [LoggedEvent] = []
      var differing: [Differing] = []
      logged.reserveCapacity(range.count)
      for index in range {
        let appended = try writer.appendComparing(parsed: sent.records[index])
        switch appended.result {
        case .new(let position):
          logged.append(LoggedEvent(position: position, event: sent.events[index]))
        case .alreadyThere(let position):
          if appended.differs { differing.append((index, position)) }
        }
      }
      return (logged, (logged.count, writer.nextPosition, differing))
    }
    for (index, position) in differing {
      answer.add(differing: sent.records[index], line: sent.lines[index], at: position)
    }
    answer.appended += appended
    answer.alreadyThere += range.count - appended
    answer.position = position
  }

  /// Appends the events as a batch of a producer, unless the log has it.
  private func append(
    _ sent: SentEvents, _ producer: ProducerID, _ sequence: UInt64, _ answer: inout Answer
  ) throws {
    let (isNew, position) = try systems.appendForAll {
      writer throws -> ([LoggedEvent], (Bool, UInt64)) in
      let result: Appended
      do throws(LogError) {
        result = try writer.append(sent.events, producer: producer, sequence: sequence)
      } catch {
        guard error.code == .outOfSequence else { throw error }
        throw IngestionProblem.Gap(expected: writer.lastSequence(of: producer) + 1, given: sequence)
      }
      guard case .new(let first) = result else { return ([], (false, writer.nextPosition)) }
      let logged = sent.events.enumerated().map { index, event in
        LoggedEvent(position: first + UInt64(index), event: event)
      }
      return (logged, (true, writer.nextPosition))
    }
    if isNew {
      answer.appended = sent.events.count
    } else {
      answer.alreadyThere = sent.events.count
    }
    answer.position = position
  }
}
