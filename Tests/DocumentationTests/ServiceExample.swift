import DecidingCore
import EventLog
import Service
import TestSupport
import Testing

/// The example of the catalogue of `Service`.
@Suite("Example of Service")
struct ServiceExample {
  @Test("the example runs, and its decision is in the log")
  func example() async throws {
    let folder = try TemporaryFolder()
    let shown = Shown()
    func print(_ items: Any...) { shown.print(items) }
    let options = ServiceOptions(
      log: folder.path("shop.log"), owner: "shop", surroundings: Surroundings(sink: MemorySink()))
    let service = try Service(options)
    let request = ServiceRequest(
      method: "GET", target: "/shop/checkout/decision/red,blue?session=s-42")
    let response = await service.respond(to: request)
    print(response.status, String(decoding: response.body, as: UTF8.self))
    await service.drain()
    service.close()
    #expect(shown.lines.first?.hasPrefix(#"200 {"decision":""#) == true)
    #expect(try LogReader(folder.path("shop.log")).eventCount == 1)
  }
}
