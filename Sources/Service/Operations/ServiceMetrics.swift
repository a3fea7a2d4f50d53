internal import DecidingAgents
internal import DecidingCore
internal import EventLog

/// The metrics of a service at a moment.
struct ServiceMetrics {
  private let host: Host
  private let observer: Observer
  private let keys: KeyRing?

  init(_ host: Host, _ observer: Observer, _ keys: KeyRing?) {
    self.host = host
    self.observer = observer
    self.keys = keys
  }

  /// The metrics as text.
  var text: [UInt8] {
    var output = MetricsText()
    addRequests(&output)
    if let keys {
      output.add(
        "bandolier_key_file_valid", .gauge,
        "Whether the file of keys could be read when it changed last (1) or not (0).",
        keys.problem == nil ? 1 : 0)
    }
    addLog(&output)
    addProcess(&output)
    return output.bytes
  }

  private func addRequests(_ output: inout MetricsText) {
    let requests = "bandolier_requests_total"
    output.begin(requests, .counter, "Requests answered, by route, method and status.")
    for (label, count) in observer.counts.counts {
      output.add(
        requests,
        [("route", label.route), ("method", label.method), ("status", "\(label.status)")],
        "\(count)")
    }
    let seconds = "bandolier_request_duration_seconds"
    output.begin(seconds, .histogram, "Time from the head of a request to its answer.")
    for (route, counts) in observer.counts.durations {
      output.add(seconds, [("route", route)], counts)
    }
  }

  private func addLog(_ output: inout MetricsText) {
    output.add(
      "bandolier_ready", .gauge, "Whether changes are accepted (1) or refused (0).",
      host.unreadiness == nil ? 1 : 0)
    output.add(
      "bandolier_waiting_requests", .gauge, "Requests that wait for the disk.", host.waiting)
    let writer = host.systems.writer
    let durable = writer.durablePosition
    output.add(
      "bandolier_log_position", .gauge, "Position after the last event appended to the log.",
      writer.nextPosition)
    output.add(
      "bandolier_log_durable_position", .gauge, "Position after the last durable event of the log.",
      durable)
    let seconds = "bandolier_sync_wait_seconds"
    output.begin(seconds, .histogram, "Time for which answers waited for the disk.")
    output.add(seconds, [], host.syncTimes.counts)
    output.add(
      "bandolier_sessions", .gauge, "Sessions of agents in memory.",
      host.systems.agents.recorder.read(\.sessionCount))
    output.add(
      "bandolier_inputs_left_out_total", .counter,
      "Inputs and features of choices that decisions did not record: too many, too long, or no attributes.",
      host.systems.agents.inputsLeftOut)
  }

  private func addProcess(_ output: inout MetricsText) {
    guard let process = ProcessUsage() else { return }
    output.add(
      "process_resident_memory_bytes", .gauge, "Resident memory size in bytes.",
      process.residentBytes)
    output.add(
      "process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.",
      process.virtualBytes)
    output.add(
      "process_cpu_seconds_total", .counter, "User and system processor time in seconds.",
      process.processorSeconds)
  }
}
