import Events
import TestSupport
import Testing

@testable import Service

@Suite("Health, readiness and metrics")
struct OperationTests {
  private let world: GuardedService

  init() throws { world = try GuardedService(try TemporaryFolder()) }

  private func metrics() async -> String {
    await world.answer("GET", "/metrics", ["x-api-key": world.key(.read)]).text
  }

  @Test("a service that is being stopped is alive and not ready, with the reason")
  func readiness() async {
    #expect(await world.answer("GET", "/readyz").text == "{\"status\":\"ok\"}")
    await world.service.drain()
    let ready = await world.answer("GET", "/readyz")
    #expect(ready.status == 503)
    #expect(
      ready.text == "{\"reason\":\"the service is being stopped\",\"status\":\"unavailable\"}")
    #expect(await world.answer("GET", "/healthz").status == 200)
    #expect(world.service.isDraining)
    #expect(await metrics().contains("\nbandolier_ready 0\n"))
  }

  @Test("requests are counted by route, method and status, also those that no route matches")
  func requests() async {
    for _ in 0..<3 { _ = await world.answer("GET", "/healthz") }
    _ = await world.answer("BREW", "/none")
    _ = await world.answer("GET", "/metrics")
    let text = await metrics()
    for line in [
      "bandolier_requests_total{route=\"/healthz\",method=\"GET\",status=\"200\"} 3",
      "bandolier_requests_total{route=\"(none)\",method=\"OTHER\",status=\"404\"} 1",
      "bandolier_requests_total{route=\"/metrics\",method=\"GET\",status=\"401\"} 1",
      "bandolier_request_duration_seconds_bucket{route=\"/healthz\",le=\"+Inf\"} 3",
      "bandolier_request_duration_seconds_count{route=\"/healthz\"} 3",
      "bandolier_ready 1", "bandolier_log_position 0", "bandolier_sessions 0",
      "bandolier_waiting_requests 0",
    ] {
      #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)")
    }
  }

  @Test(
    "the text is one that Prometheus accepts: each metric once, with help and type, and ends with a line feed"
  )
  func format() async throws {
    _ = await world.answer("GET", "/healthz")
    let text = await metrics()
    #expect(text.hasSuffix("\n"))
    var types: [String: String] = [:]
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: /# TYPE (\w+) (\w+)/) {
        #expect(types.updateValue(String(match.2), forKey: String(match.1)) == nil)
      } else if !line.hasPrefix("# HELP") {
        let match = try #require(
          line.wholeMatch(of: /(\w+?)(_bucket|_sum|_count)?(\{[^}]*\})? [0-9.e+-]+/), "\(line)")
        let type = types[String(match.1)]
        #expect(type != nil && (match.2 == nil || type == "histogram"), "\(line)")
      }
    }
    #expect(types["bandolier_requests_total"] == "counter")
    #expect(types["process_resident_memory_bytes"] == "gauge")
  }

  @Test("the buckets of a histogram are cumulative")
  func histogram() {
    let histogram = DurationHistogram()
    for nanoseconds in [0, 500_000, 500_001, 3_000_000, 20_000_000_000] as [Int64] {
      histogram.add(nanoseconds)
    }
    var text = MetricsText()
    text.add("t", [], histogram.counts)
    let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines[0] == "t_bucket{le=\"0.0005\"} 2")
    #expect(lines[1] == "t_bucket{le=\"0.001\"} 3")
    #expect(lines[3] == "t_bucket{le=\"0.005\"} 4")
    #expect(
      Array(lines.suffix(3)) == ["t_bucket{le=\"+Inf\"} 5", "t_sum 20.004000001", "t_count 5"])
  }

  @Test("labels are escaped")
  func labels() {
    var text = MetricsText()
    text.add("t", [("a", "x\"\\\n")], "1")
    #expect(String(decoding: text.bytes, as: UTF8.self) == "t{a=\"x\\\"\\\\\\n\"} 1\n")
  }
}
