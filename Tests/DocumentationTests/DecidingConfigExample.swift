import DecidingConfig
import DecidingCore
import Events
import TestSupport
import Testing

/// The example of the catalogue of `DecidingConfig`.
@Suite("Example of DecidingConfig")
struct DecidingConfigExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() async throws {
    let server = #"""
      {"meta": {"format_version_string": "1.0"},
       "config_sections": {"Chat": {"settings": {"Enabled": {"value": true}}}}}
      """#
    let sink = MemorySink()
    let config = ActiveConfig(
      downloader: JSONConfigDownloader { user in Array(server.utf8) },
      surroundings: Surroundings(sink: sink))
    print(try await config.download())
    print(config["Chat"]?.bool("Enabled") ?? false)
    #expect(shown.lines == ["applied", "true"])
    #expect(!sink.events.isEmpty)
  }
}
