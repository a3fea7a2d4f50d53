internal import EventLog
internal import Events
internal import Replay
internal import Reports
internal import Specifications
internal import Tables
internal import Threads

/// Reports of the log: `GET /v1/reports/{name}?experiment=…&format=…`, with the options of the command and its bytes.
struct ReportRoutes: RouteGroup {
  let host: Host
  private let catalog: ReportCatalog
  private let turns = ReportQueue()

  /// The memory limit of a report, in bytes: events beyond it spill to disk.
  private static let memoryLimit = 1 << 30

  init(host: Host, catalog: ReportCatalog = .standard) {
    (self.host, self.catalog) = (host, catalog)
  }

  var routes: [Route] {
    [
      Route(
        .get, "/v1/reports/{name}", scope: .read, ReportSchema(catalog).description, handle: report)
    ]
  }

  @Sendable
  private func report(_ call: AdmittedRequest) async throws -> ServiceResponse {
    let (name, request) = (call.path["name"], call.request)
    // Opening a log that has grown takes long, and the pool answers all other requests.
    let log = try await OwnThread.run { [host] in try host.log.current() }
    let tag = Self.tag(of: log, name, request)
    // The options are checked first: an invalid request has no result that could be unchanged.
    _ = try asked(name, request)
    if tag.isMatched(by: request) { return tag.notModified }
    var response = try await turns.take {
      let names = DisplayNames(host.systems.agents)
      return try await OwnThread.run {
        let (asked, selection) = try self.asked(name, request)
        return try Self.response(asked, selection, of: log, names)
      }
    }
    response.fields["etag"] = tag.text
    return response
  }

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
  private func asked(
    _ name: String, _ request: ServiceRequest
  ) throws -> (ReportRequest, ReportSelection) {
    let query = try OptionQuery(request.parameters)
    do {
      let asked = try ReportRequest(named: name, of: catalog, query)
      let selection = try ReportSelection(query, in: asked.calendar)
      try query.finish()
      try selection.check(asked.report)
      return (asked, selection)
    } catch let error as ReportError {
      throw ServiceProblem(400, "invalid-option", error.description)
    } catch let error as SpecificationError {
      throw ServiceProblem(400, "invalid-option", "\(error)")
    }
  }

  /// Makes a report.
  private static func response(
    _ asked: ReportRequest, _ selection: ReportSelection, of log: LogReader,
    _ display: DisplayNames
  ) throws -> ServiceResponse {
    let warnings = Monitor<[String]>([])
    let note: @Sendable (String) -> Void = { text in
      if text.hasPrefix("warning: ") { warnings.withLock { $0.append(text) } }
    }
    let report = asked.report
    do {
      let names = try LogNames(log, report.vocabularies.union([.experiments, .reasons]))
      let units = try selection.units(
        NameLookup(path: log.path, names: names, isEmpty: log.eventCount == 0, message: note))
      if let absence = try (report.dimension ?? selection.dimension)?.absence(in: log) {
        throw ReportError(.badData, absence)
      }
      // One thread: the others decide.
      let replay = LogReplay(log, jobs: 1, memoryLimit: memoryLimit)
      let source = ReportSource(report, replay, units, names: names, message: note)
      let result = try asked.result(source)
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
