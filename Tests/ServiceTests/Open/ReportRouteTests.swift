import EventLog
import Events
import Platform
import Replay
import Reports
import Tables
import Testing
import Threads

@testable import Service

@Suite struct ReportRouteTests {
  /// A service whose log has decisions of two variants, goals, and conversions.
  private func world() async throws -> OpenWorld {
    let world = try OpenWorld()
    var lines: [String] = []
    for number in 0..<60 {
      let (variant, time) = (number % 2 == 0 ? "blue" : "green", 1_767_571_200 + number * 3_600)
      lines.append(
        #"{"type":"decision","time":\#(time),"unit":"u-\#(number)","experiment":"pricing","variant":"\#(variant)","choices":["blue","green"],"propensity":0.5,"probabilities":[0.5,0.5]}"#
      )
      guard number % 3 == 0 else { continue }
      lines.append(
        #"{"type":"goal","time":\#(time + 60),"unit":"u-\#(number)","experiment":"pricing","goal":"click","value":\#(number % 5 + 1)}"#
      )
      lines.append(
        #"{"type":"conversion","time":\#(time + 90),"unit":"u-\#(number)","goal":"buy","revenue":10}"#
      )
    }
    let response = await world.post("/v1/events", lines.joined(separator: "\n"))
    try #require(response.status == 200, "\(text(response))")
    return world
  }

  private func text(_ response: ServiceResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  private func log(_ world: OpenWorld) throws -> LogReader {
    try LogReader(world.service.host.options.log)
  }

  // MARK: Bytes

  @Test func `A report has the bytes that its table has`() async throws {
    let world = try await world()
    let table = try RewardReport().table(of: log(world))
    let csv = await world.get("/v1/reports/rewards")
    #expect(csv.status == 200)
    #expect(csv.body == write(table, as: .csv))
    #expect(csv.fields["content-type"]?.hasPrefix("text/csv") == true)
    for format in TableFormat.allCases {
      let response = await world.get("/v1/reports/rewards?format=\(format.rawValue)")
      #expect(response.body == write(table, as: format), "\(format)")
    }
  }

  @Test(
    arguments: [
      "rewards", "compare", "conversions", "quantiles", "regret", "adaptive", "health", "series",
      "visits", "retention", "novelty", "power", "predictions", "funnel?steps=click",
      "evaluate?policy=uniform",
      "decisions?analysis=experiments:%0A%20%20pricing:%0A%20%20%20%20baseline:%20blue%0A",
      "compare?metrics=metrics:%20%7Bfew:%20%7Bvalue:%20goals,%20direction:%20lower%7D%7D&metric=few",
    ])
  func `Every report is made with its default options`(path: String) async throws {
    let world = try await world()
    let response = await world.get("/v1/reports/\(path)")
    #expect(response.status == 200, "\(text(response))")
    #expect(!response.body.isEmpty)
  }

  @Test func `No report of the library is left out`() {
    for report in ReportCatalog.standard.all {
      let made = try? ReportRequest(named: report.name, of: .standard, OptionQuery([])).report
      let needsOption = [FunnelReport.name, EvaluationReport.name, DecisionReport.name]
      #expect(made.map { type(of: $0).name } == report.name || needsOption.contains(report.name))
    }
  }

  @Test func `Options have the names of the command's`() async throws {
    let world = try await world()
    let response = await world.get(
      "/v1/reports/compare?experiment=pricing&metric=converted&metric=reward&baseline=green"
        + "&alpha=10%25&since=2026-01-05&until=2026-01-06&format=json")
    #expect(response.status == 200, "\(text(response))")
    var plan = ComparisonPlan()
    plan.baseline = "green"
    plan.alpha = 0.1
    let report = try ComparisonReport {
      $0.measures = try MetricPlan([Metric(parsing: "converted"), Metric(parsing: "reward")])
      $0.plan = plan
    }
    let log = try log(world)
    let names = try LogNames(log, [.experiments])
    var selection = UnitSelection()
    selection.experiments = [try #require(names.code(of: "pricing", in: .experiments))]
    selection.since = 1_767_571_200_000_000
    selection.until = selection.since.map { $0 + 86_400_000_000 }
    let table = try report.table(of: LogReplay(log), selection)
    #expect(response.body == write(table, as: .json))
    #expect(table.rows.count > 1)
  }

  @Test func `Days and dates are those of a time zone`() async throws {
    let world = try await world()
    let response = await world.get(
      "/v1/reports/series?time-zone=America/New_York&since=2026-01-05&end=2026-01-07&format=json")
    #expect(response.status == 200, "\(text(response))")
    let calendar = try ZoneDatabase.calendar("America/New_York")
    let report = try SeriesReport { $0.attribution.end = calendar.start(ofDate: "2026-01-07") }
    var selection = UnitSelection()
    selection.calendar = calendar
    selection.since = calendar.start(ofDate: "2026-01-05")?.microseconds
    let table = try report.table(of: LogReplay(log(world)), selection)
    #expect(response.body == write(table, as: .json))
    #expect(table.rows.count == 6 && text(response).contains("America/New_York"))
    let unknown = await world.get("/v1/reports/series?time-zone=America/New_Yrok")
    #expect(unknown.status == 400 && text(unknown).contains("America/New_York"))
  }

  @Test func `Columns can be chosen, and tables widened`() async throws {
    let world = try await world()
    let chosen = await world.get("/v1/reports/rewards?columns=variant,decisions")
    #expect(text(chosen).hasPrefix("variant,decisions\n"))
    let main = await world.get("/v1/reports/rewards?format=table")
    let wide = await world.get("/v1/reports/rewards?format=table&wide")
    #expect(wide.body.count > main.body.count)
  }

  @Test func `Tables for people show the display names of choices where that is asked for`()
    async throws
  {
    let world = try OpenWorld()
    for number in 0..<8 {
      _ = await world.post(
        "/ofrep/v1/evaluate/flags/checkout", #"{"context":{"targetingKey":"s-\#(number)"}}"#)
    }
    let table = text(await world.get("/v1/reports/rewards?format=markdown&names"))
    #expect(table.contains("blue (Blue button)"))
    #expect(table.contains("green (Green button)"))
    let plain = text(await world.get("/v1/reports/rewards?format=markdown"))
    #expect(!plain.contains("button)"))
    let csv = text(await world.get("/v1/reports/rewards?format=csv&names"))
    #expect(!csv.contains("button"))
  }

  // MARK: ETag

  @Test func `A report that has not changed is not made again`() async throws {
    let world = try await world()
    let tag = try #require(await world.get("/v1/reports/rewards").fields["etag"])
    let same = await world.get("/v1/reports/rewards", ["if-none-match": tag])
    #expect(same.status == 304)
    #expect(same.body.isEmpty)
    let other = await world.get("/v1/reports/rewards?format=json", ["if-none-match": tag])
    #expect(other.status == 200)
    _ = await world.post(
      "/v1/events", #"{"type":"conversion","time":1767571200,"unit":"u-1","goal":"buy"}"#)
    let newer = await world.get("/v1/reports/rewards", ["if-none-match": tag])
    #expect(newer.status == 200)
    #expect(newer.fields["etag"] != tag)
  }

  // MARK: Errors

  @Test(arguments: [
    ("rewards?experiment=pricin", #"did you mean "pricing"?"#),
    ("rewards?experiment=pricing&experiment=x", #""x""#),
    ("rewards?formt=csv", #"did you mean "format"?"#),
    ("rewards?format=cvs", #"did you mean "csv"?"#), ("rewards?alpha=2", "alpha must be"),
    ("rewards?alpha=x", "is not a number"), ("rewards?alpha=0.1&alpha=0.2", "give it once"),
    ("rewards?since=yesterday", "not a time"), ("rewards?by=nothing", "dimension"),
    ("rewards?since=2026-01-06&until=2026-01-05", "not later than"),
    ("rewards?columns=variat", #"did you mean "variant"?"#), ("compare?baseline=red", "red"),
    ("funnel", "steps is missing"), ("evaluate", "policy is missing"),
    ("evaluate?policy=table:path=x.csv", "the service reads none"),
    ("decisions", "analysis is missing"), ("power?by=day", "not available"),
    ("rewards?wide=maybe", "true or false"), ("rewards?since=%zz", "escape"),
    ("compare?metrics=metrics:%20%7Bfew:%20goals%7D&metric=fews", #"did you mean "few"?"#),
    ("compare?metrics=metrics:%20few", "metrics must have names"),
    ("visits?metrics=metrics:%20%7Bfew:%20goals%7D", "takes no metric"),
    ("rewards?without-reason=forcd", #"did you mean "forced"?"#),
  ])
  func `An invalid option is refused with the nearest name`(path: String, text: String)
    async throws
  {
    let world = try await world()
    let response = await world.get("/v1/reports/\(path)")
    #expect(response.status == 400)
    let message = try #require(response.json["error"]?["message"]?.string)
    #expect(message.contains(text), "\(message)")
    #expect(!message.contains(world.service.host.options.log))
  }

  @Test func `An unknown report is not found, and the nearest one is named`() async throws {
    let world = try OpenWorld()
    let response = await world.get("/v1/reports/reward")
    #expect(response.status == 404)
    #expect(response.json["error"]?["message"]?.string?.contains("rewards") == true)
  }

  @Test func `One report is made at a time, a few wait, and further ones are refused`() async throws {
    let turns = ReportQueue()
    let (running, most) = (Monitor(0), Monitor(0))
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<(ReportQueue.waitingLimit + 4) {
        group.addTask {
          do {
            return try await turns.take {
              let count = running.withLock { running in
                running += 1
                return running
              }
              most.withLock { $0 = max($0, count) }
              try await Task.sleep(for: .milliseconds(50))
              running.withLock { $0 -= 1 }
              return 200
            }
          } catch {
            let problem = error as? ServiceProblem
            return problem?.retryAfter == 1 ? problem?.status ?? 0 : 0
          }
        }
      }
      return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(most.withLock { $0 } == 1)
    #expect(statuses == [200: ReportQueue.waitingLimit + 1, 429: 3])
    #expect(try await turns.take { 7 } == 7)
  }

  @Test func `Reports run on a thread of the least priority, and what they start does`()
    async throws
  {
    let priorities = try await OwnThread.run {
      try Workers.run(2) { _ in getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
    }
    #expect(priorities == [19, 19])
    #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) < 19)
  }
}
