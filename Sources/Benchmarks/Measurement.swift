import Glibc

/// A step that is measured: a command of its own, or work within this process.
struct Step {
  var name: String
  /// How many events a run handles.
  var events: Int
  /// How many bytes a run handles; 0 when nobody wants to know.
  var bytes: Int = 0
  /// What must be done before each run.
  var prepare: () throws -> Void = {}
  /// One run.
  var run: () throws -> Measurement
}

/// What one run of a step took.
struct Measurement {
  /// Wall time in seconds.
  var seconds: Double
  /// User and system time in seconds.
  var cpuSeconds: Double
  /// The most memory that the process held, in bytes; nil for work within this process.
  var peakBytes: Int?

  init(seconds: Double, cpuSeconds: Double) {
    self.seconds = seconds
    self.cpuSeconds = cpuSeconds
  }

  init(_ run: ProcessRun) {
    seconds = run.seconds
    cpuSeconds = run.cpuSeconds
    peakBytes = run.peakBytes
  }

  /// Measures work within this process, on this thread.
  init(_ work: () throws -> Void) rethrows {
    let (wall, processor) = (Self.time(CLOCK_MONOTONIC), Self.time(CLOCK_PROCESS_CPUTIME_ID))
    try work()
    seconds = Self.time(CLOCK_MONOTONIC) - wall
    cpuSeconds = Self.time(CLOCK_PROCESS_CPUTIME_ID) - processor
  }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    // Safety: time outlives the call, which writes nothing else.
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
