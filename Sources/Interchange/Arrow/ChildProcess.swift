import Platform

/// A program whose standard output is read, and that ends with this value.
final class ChildProcess {
  /// The descriptor of the program's standard output.
  let output: Int32
  private let errors: Int32
  private var id: pid_t
  private static let mostMessage = 4_096

  /// Starts a program found on the PATH; nil if it cannot be started.
  init?(_ program: String, _ arguments: [String]) {
    var ends: [Int32] = [-1, -1]
    // Safety: the array has room for both descriptors.
    guard unsafe pipe(&ends) == 0 else { return nil }
    // No descriptor but those it is given is open in the program, which would keep the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    errors = Self.nameless()
    output = ends[0]
    id = 0
    let started = Self.start(program, arguments, output: ends[1], errors: errors)
    close(ends[1])
    guard let started else {
      close(output)
      if errors >= 0 { close(errors) }
      return nil
    }
    id = started
  }

  deinit {
    close(output)
    if errors >= 0 { close(errors) }
    guard id > 0 else { return }
    kill(id, SIGKILL)
    _ = wait()
  }

  /// Opens a file without a name, which is gone once it is closed; -1 if there is none.
  private static func nameless() -> Int32 {
    var name = Array("/tmp/bandolier-XXXXXX".utf8CString)
    // Safety: the template is terminated, and is written only where its X are.
    let file = unsafe mkstemp(&name)
    guard file >= 0 else { return -1 }
    // Safety: the name is terminated.
    _ = unsafe unlink(name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  private static func start(
    _ program: String, _ arguments: [String], output: Int32, errors: Int32
  ) -> pid_t? {
    // Safety: the actions are used in this function only, and destroyed at its end.
    var actions = unsafe SpawnActions()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // Safety: as above.
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if errors >= 0 { unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    // Safety: the texts are copies that live until they are freed, behind the call; the list ends with nil.
    var texts = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe texts.forEach { unsafe free($0) } }
    var id: pid_t = 0
    var code: Int32 = 0
    for _ in 0..<100 {
      // Safety: as above; the environment is not changed.
      code = unsafe posix_spawnp(&id, program, &actions, nil, &texts, processEnvironment)
      // A program that is being installed is still open for a moment.
      guard code == ETXTBSY else { break }
      usleep(10_000)
    }
    return code == 0 ? id : nil
  }

  /// Reads from the standard output into a buffer; 0 at the end, and -1 for an error.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      // Safety: no more bytes are read than the buffer has.
      let count = unsafe Platform.read(output, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Waits for the end of the program and returns its exit status and what it wrote to its standard error, in one
  /// line.
  func finish() -> (code: Int32, message: String) {
    guard id > 0 else { return (0, "") }
    let status = wait()
    id = 0
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    return (code, message())
  }

  private func wait() -> Int32 {
    var status: Int32 = 0
    // Safety: the status outlives the call.
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The end of what was written to the standard error.
  private func message() -> String {
    guard errors >= 0 else { return "" }
    let size = Int(lseek(errors, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: Self.mostMessage)
    // Safety: no more bytes are read than the array has.
    let count = unsafe pread(errors, &bytes, bytes.count, max(0, size - bytes.count))
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
