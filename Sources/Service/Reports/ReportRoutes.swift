internal import EventLog
internal import Events
internal import Replay
internal import Reports
internal import Statistics
internal import Tables
internal import Threads

/// Reports of the log: `GET /v1/reports/{name}?experiment=…&format=…`, with the options of the command and its bytes.
struct ReportRoutes: RouteGroup {
  let host: Host
  /// The number of reports that are being made.
  private let running = Monitor(0)

  /// The maximum number of reports that are made at the same time.
  static let runningLimit = 2
  /// The memory limit of a report, in bytes: events beyond it spill to disk.
  private static let memoryLimit = 1 << 30

  init(host: Host) { self.host = host }

  var routes: [Route] {
    [
      Route(.get, "/v1/reports/{name}", scope: .read, ReportSchema.description, handle: report)
    ]
  }

  @Sendable
  private func report(_ call: RouteCall) async throws -> ServiceResponse {
    let (name, request) = (call.path["name"], call.request)
    let log = try host.log.current()
    let tag = Self.tag(of: log, name, request)
    // The options are checked first: an invalid request has no result that could be unchanged.
    _ = try Self.asked(name, request)
    if tag.isMatched(by: request) { return tag.notModified }
    try begin()
    defer { end() }
    let names = DisplayNames(host.systems.agents)
    var response = try await OwnThread.run {
      let (report, selection) = try Self.asked(name, request)
      return try Self.response(report, selection, of: log, names)
    }
    response.fields["etag"] = tag.text
    return response
  }

  /// Counts a report that begins.
  func begin() throws(ServiceProblem) {
    let isFull = running.withLock { running in
      if running < Self.runningLimit { running += 1 } else { return true }
      return false
    }
    guard isFull else { return }
    throw ServiceProblem(
      429, "too-many-reports",
      "\(Self.runningLimit) reports are being made, which is the maximum; try again later",
      retryAfter: 1)
  }

  /// Counts a report that has ended.
  func end() { running.withLock { $0 -= 1 } }

  /// The same tag means the same log, up to the same position, and the same request.
  private static func tag(
    of log: LogReader, _ name: String, _ request: ServiceRequest
  ) -> EntityTag {
    let position = log.segments.last?.endPosition ?? 0
    let options = request.parameters
      .filter { $0.name != "apikey" && $0.name != "apiKey" }
      .map { [JSONValue.string($0.name ?? ""), .string($0.value ?? "")] }
    let parts: JSONValue = [
      .string(log.id.map { "\($0)" } ?? log.path), .string(String(position)), .string(name),
      .array(options.map { .array($0) }),
    ]
    return EntityTag(of: Array(parts.description.utf8))
  }

  /// Returns what a request asks for.
  private static func asked(
    _ name: String, _ request: ServiceRequest
  ) throws -> (any Report, ReportSelection) {
    let query = try ReportQuery(request.parameters)
    do {
      let report = try RequestedReport(query: query).report(named: name)
      let selection = try ReportSelection(query)
      try query.finish()
      try selection.check(report)
      return (report, selection)
    } catch let error as ReportError {
      throw ServiceProblem(400, "invalid-option", error.description)
    } catch let error as SpecificationError {
      throw ServiceProblem(400, "invalid-option", "\(error)")
    }
  }

  /// Makes a report.
  private static func response(
    _ report: some Report, _ selection: ReportSelection, of log: LogReader,
    _ display: DisplayNames
  ) throws -> ServiceResponse {
    let warnings = Monitor<[String]>([])
    let note: @Sendable (String) -> Void = { text in
      if text.hasPrefix("warning: ") { warnings.withLock { $0.append(text) } }
    }
    do {
      let names = try LogNames(log, report.vocabularies.union([.experiments, .reasons]))
      let units = try selection.units(
        NameLookup(path: log.path, names: names, isEmpty: log.eventCount == 0, message: note))
      if let absence = try (report.dimension ?? selection.dimension)?.absence(in: log) {
        throw ReportError(.badData, absence)
      }
      let replay = LogReplay(log, jobs: nil, memoryLimit: memoryLimit)
      let source = ReportSource(report, replay, units, names: names, message: note)
      let result = try report.finished(source)
      // A name that matches nothing is a mistake, of which nobody would see a warning.
      if let warning = warnings.withLock({ $0.first }) {
        throw ReportError(.badData, String(warning.dropFirst("warning: ".count)))
      }
      return ServiceResponse(
        fields: ["content-type": selection.mediaType, "cache-control": "no-cache"],
        body: try selection.bytes(of: result.table, display))
    } catch let error as ReportError {
      let text = error.description.replacing(log.path, with: "the log")
      throw ServiceProblem(400, "invalid-option", text)
    }
  }
}
