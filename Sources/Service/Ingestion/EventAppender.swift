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
      if !rejections.isEmpty {
        object["rejections"] = .array(
          rejections.map { ["line": .integer(Int64($0.line)), "message": .string($0.message)] })
      }
      return .object(object)
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
    let (appended, position) = try systems.appendForAll { writer throws(LogError) in
      var logged: [LoggedEvent] = []
      logged.reserveCapacity(range.count)
      for index in range {
        if case .new(let position) = try writer.appendOnce(parsed: sent.records[index]) {
          logged.append(LoggedEvent(position: position, event: sent.events[index]))
        }
      }
      return (logged, (logged.count, writer.nextPosition))
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
