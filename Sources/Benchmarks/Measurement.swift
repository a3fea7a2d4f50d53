import Platform

/// A step of a benchmark: a command, or work within this process.
struct Step {
  var name: String
  /// The number of events processed by a run.
  var events: Int
  /// The number of bytes processed by a run; 0 to leave it out.
  var bytes: Int = 0
  /// The preparation before each run.
  var prepare: () throws -> Void = {}
  /// One run.
  var run: () throws -> Measurement
}

/// The measurement of one run of a step.
struct Measurement {
  /// Wall time in seconds.
  var seconds: Double
  /// User and system time in seconds.
  var cpuSeconds: Double
  /// The peak memory of the process, in bytes; nil for work within this process.
  var peakBytes: Int?
  /// The median, the 99th percentile and the maximum of the times of responses, in seconds; nil where nothing responds.
  var latencies: (median: Double, high: Double, maximum: Double)?

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
    let (wall, processor) = (SystemClock.monotonicNanoseconds, SystemClock.processNanoseconds)
    try work()
    seconds = Double(SystemClock.monotonicNanoseconds - wall) / 1e9
    cpuSeconds = Double(SystemClock.processNanoseconds - processor) / 1e9
  }
}
