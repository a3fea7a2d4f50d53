internal import EventLog
internal import Specifications

/// The parameters of a request that sends events.
struct IngestionQuery {
  /// The producer and the number of its batch; nil for events that are told apart by their ids.
  var batch: (producer: ProducerID, sequence: UInt64)?
  /// Whether lines that are not events are skipped, rather than refusing all.
  var skipsInvalid = false

  /// Whether units that are texts for a missing one, such as `NULL`, are taken.
  var keepsPlaceholders = false

  private static let names = ["keep-placeholder-units", "on-error", "producer", "sequence"]

  /// Reads the parameters of a request. Keys stand beside them, and are read elsewhere.
  init(_ request: ServiceRequest) throws(ServiceProblem) {
    var (producer, sequence): (String?, String?)
    for parameter in request.parameters {
      guard let name = parameter.name, let value = parameter.value else {
        throw ServiceProblem(
          400, "invalid-query", "the query has a malformed escape; encode it as UTF-8")
      }
      switch name {
      case "producer": producer = value
      case "sequence": sequence = value
      case "on-error": skipsInvalid = try Self.skips(value)
      case "keep-placeholder-units": keepsPlaceholders = try Self.flag(name, value)
      case "apikey", "apiKey": break
      default:
        throw ServiceProblem(
          400, "unknown-parameter",
          NearestName.unknown("parameter", name, among: Self.names))
      }
    }
    batch = try Self.batch(producer, sequence)
  }

  private static func skips(_ value: String) throws(ServiceProblem) -> Bool {
    switch value {
    case "skip": return true
    case "stop": return false
    default:
      throw ServiceProblem(
        400, "invalid-parameter",
        "on-error is \(value.debugDescription); it must be skip, or stop, which is the default")
    }
  }

  private static func flag(_ name: String, _ value: String) throws(ServiceProblem) -> Bool {
    switch value {
    case "true": return true
    case "false": return false
    default:
      throw ServiceProblem(
        400, "invalid-parameter",
        "\(name) is \(value.debugDescription); it must be true, or false, which is the default")
    }
  }

  private static func batch(
    _ producer: String?, _ sequence: String?
  ) throws(ServiceProblem) -> (producer: ProducerID, sequence: UInt64)? {
    switch (producer, sequence) {
    case (nil, nil): return nil
    case (let producer?, let sequence?):
      guard !producer.isEmpty else {
        throw ServiceProblem(400, "invalid-parameter", "producer is empty; give it a name")
      }
      guard let number = UInt64(sequence), number > 0 else {
        throw ServiceProblem(
          400, "invalid-parameter",
          "sequence is \(sequence.debugDescription); a producer numbers its batches 1, 2, 3, …")
      }
      return (ProducerID(name: producer), number)
    default:
      throw ServiceProblem(
        400, "invalid-parameter", "producer and sequence go together; give both or neither")
    }
  }
}
