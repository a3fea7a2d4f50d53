import Platform

/// One run of a command, from start to end.
struct ProcessRun {
  /// Wall time in seconds.
  var seconds: Double
  /// User and system time in seconds.
  var cpuSeconds: Double
  /// The peak memory of the process, in bytes; no less than that of this process when it was started.
  var peakBytes: Int

  /// An error that prevents a command from being measured.
  struct Failure: Error, CustomStringConvertible {
    var description: String
    /// The signal that ended the command; 0 if none did.
    var signal: Int32 = 0
  }

  /// Runs a command, discarding its output and errors or writing them to files.
  ///
  /// - Throws: ``Failure`` if it cannot be started or its exit status is not 0.
  init(_ command: [String], output: String = "/dev/null", errors: String = "/dev/null") throws {
    // Safety: each copy of an argument is freed exactly once, on every path, after its last use; the actions are
    // initialized before they are used and keep copies of the paths.
    let arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var actions = unsafe SpawnActions()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, path) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      unsafe posix_spawn_file_actions_addopen(
        &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var child: pid_t = 0
    let start = Self.now()
    // Safety: the argument list ends with nil and lives until the child has its own copy; status and usage outlive
    // the call that fills them.
    guard unsafe posix_spawn(&child, command[0], &actions, nil, arguments, processEnvironment) == 0
    else {
      throw Failure(description: "cannot start \(command[0]); build it first (make build)")
    }
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(child, &status, 0, &usage) == child, status == 0 else {
      throw Failure(
        description: "\(command.joined(separator: " ")) failed with status \(status)",
        signal: status & 0x7f)
    }
    seconds = Self.now() - start
    cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    peakBytes = usage.ru_maxrss * 1_024
  }

  private static func now() -> Double { Double(SystemClock.monotonicNanoseconds) / 1e9 }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
