import Platform

/// A running `bandolier-serve` on a free port.
final class ServerProcess {
  /// The port that it listens on.
  let port: UInt16
  /// The seconds from its start until it listened.
  let startSeconds: Double
  private let child: pid_t

  /// Starts the service and waits until it listens.
  ///
  /// - Throws: ``ProcessRun/Failure`` if it does not.
  init(_ command: [String]) throws {
    var pipes: [Int32] = [0, 0]
    // Safety: the array has room for two descriptors.
    guard unsafe pipe(&pipes) == 0 else { throw ProcessRun.Failure(description: "no pipe") }
    // Safety: as in `ProcessRun`.
    let arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var actions = unsafe SpawnActions()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO)
    unsafe posix_spawn_file_actions_addclose(&actions, pipes[0])
    let start = LoadGenerator.now()
    var started: pid_t = 0
    // Safety: as in `ProcessRun`.
    guard
      unsafe posix_spawn(&started, command[0], &actions, nil, arguments, processEnvironment) == 0
    else {
      throw ProcessRun.Failure(
        description: "cannot start \(command[0]); build it first (make serve)")
    }
    child = started
    close(pipes[1])
    port = try Self.port(saidOn: pipes[0])
    startSeconds = LoadGenerator.now() - start
    Self.discard(pipes[0])
  }

  /// Reads lines until one says the port.
  private static func port(saidOn descriptor: Int32) throws -> UInt16 {
    var text = ""
    var part = [UInt8](repeating: 0, count: 4_096)
    while true {
      // Safety: the array has room for as many bytes as are asked for.
      let count = unsafe read(descriptor, &part, part.count)
      guard count > 0 else {
        throw ProcessRun.Failure(description: "the service did not start: \(text)")
      }
      text += String(decoding: part.prefix(count), as: UTF8.self)
      if let match = text.firstMatch(of: /listening on http:\/\/[^ \n]*:(\d+)\n/),
        let port = UInt16(match.output.1)
      {
        return port
      }
    }
  }

  /// Reads the rest in a thread, so that the service never waits for it.
  private static func discard(_ descriptor: Int32) {
    var thread = pthread_t()
    // Safety: the descriptor is passed by value in the pointer's bits.
    unsafe pthread_create(
      &thread, nil,
      { argument in
        let descriptor = Int32(Int(bitPattern: argument))
        var part = [UInt8](repeating: 0, count: 65_536)
        while unsafe read(descriptor, &part, part.count) > 0 {}
        close(descriptor)
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(descriptor)))
    pthread_detach(thread)
  }

  /// The memory of the process in bytes: now, and its peak.
  var memory: (now: Int, peak: Int) {
    func bytes(_ key: String) -> Int {
      let line = TextFile.line(of: "/proc/\(child)/status", after: key)
      return (line?.split { $0 == " " || $0 == "\t" }.first.flatMap { Int($0) } ?? 0) * 1_024
    }
    return (bytes("VmRSS:"), bytes("VmHWM:"))
  }

  /// Asks the service to stop and waits until it has.
  ///
  /// - Throws: ``ProcessRun/Failure`` if its exit status is not 0.
  func stop() throws {
    kill(child, SIGTERM)
    var status: Int32 = 0
    // Safety: the status outlives the call.
    guard unsafe waitpid(child, &status, 0) == child, status == 0 else {
      throw ProcessRun.Failure(description: "the service ended with status \(status)")
    }
  }
}
