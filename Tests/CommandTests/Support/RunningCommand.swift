import Foundation
import Platform
import Synchronization

/// A process that was started with pipes on its three standard streams, and is talked to by one thread.
///
/// Every wait passes bytes both ways, so that a full pipe never stops either side, and ends at a time
/// limit, after which the process is killed.
final class RunningCommand {
  /// What a test that waits in vain is told.
  struct TimedOut: Error, CustomStringConvertible {
    let description: String
  }

  /// Where the process writes what it has to say.
  enum Output {
    case pipe
    case file(String)
    /// An open descriptor, which stays the caller's to close.
    case descriptor(Int32)
  }

  let process: pid_t
  private let name: String
  /// How long it may take until something that is waited for happens, in seconds.
  private let patience: UInt64
  private var input: Int32?
  private var pending: [UInt8] = []
  private var sources: [Source] = []
  private var status: Int32?

  private struct Source {
    var descriptor: Int32?
    var bytes: [UInt8] = []
  }

  /// What came on standard output so far.
  var output: [UInt8] { sources[0].bytes }
  /// What came on standard error so far.
  var errors: [UInt8] { sources[1].bytes }

  /// Held while pipes are made and handed on: another process started between these two steps would inherit
  /// an end of them, and nobody would see them closed.
  private static let starting = Mutex(())

  private init(
    started: (process: pid_t, input: Int32, output: Int32?, errors: Int32), name: String,
    patience: UInt64
  ) {
    process = started.process
    self.patience = patience
    self.name = name
    input = started.input
    sources = [Source(descriptor: started.output), Source(descriptor: started.errors)]
    for descriptor in [input, started.output, started.errors] {
      descriptor.map { _ = fcntl($0, F_SETFL, O_NONBLOCK) }
    }
  }

  /// Starts a program.
  convenience init(
    _ executable: String, _ arguments: [String], environment: [String: String],
    directory: String? = nil, output: Output = .pipe, patience: UInt64 = 60
  ) throws {
    // env(1) changes the folder and becomes the program.
    let prefix = directory.map { ["/usr/bin/env", "-C", $0] } ?? []
    let words = prefix + [executable] + arguments
    let started = try Self.starting.withLock { _ in
      try Self.start(words, environment: environment, output: output)
    }
    self.init(started: started, name: words.joined(separator: " "), patience: patience)
  }

  private static func start(
    _ words: [String], environment: [String: String], output: Output
  ) throws -> (process: pid_t, input: Int32, output: Int32?, errors: Int32) {
    let (inputRead, inputWrite) = try pipe()
    let (errorRead, errorWrite) = try pipe()
    var (outputRead, outputWrite): (Int32?, Int32) = (nil, -1)
    var isOurs = true
    switch output {
    case .pipe: (outputRead, outputWrite) = try pipe()
    case .file(let path): outputWrite = unsafe open(path, O_WRONLY | O_CLOEXEC)
    case .descriptor(let descriptor): (outputWrite, isOurs) = (descriptor, false)
    }
    defer {
      close(inputRead)
      close(errorWrite)
      if isOurs { close(outputWrite) }
    }
    let process = try spawn(
      words, environment: environment, streams: [inputRead, outputWrite, errorWrite])
    return (process, inputWrite, outputRead, errorRead)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      reap(options: 0)
    }
    for descriptor in [input] + sources.map(\.descriptor) { descriptor.map { _ = close($0) } }
  }

  // MARK: Talking

  /// Puts bytes where standard input will take them.
  func send(_ bytes: [UInt8]) { pending.append(contentsOf: bytes) }

  /// Puts text where standard input will take it.
  func send(_ text: String) { send(Array(text.utf8)) }

  /// Waits until the process has read everything sent to it.
  func waitUntilRead() throws {
    try pump("reads its input") {
      guard $0.pending.isEmpty, let input = $0.input else { return $0.pending.isEmpty }
      var unread: Int32 = 0
      // Safety: the request fills one int, which outlives the call.
      return unsafe ioctl(input, UInt(FIONREAD), &unread) != 0 || unread == 0
    }
  }

  /// Waits until the process, and the pipe to it, have taken all but so many bytes of what was sent.
  func waitUntilTaken(allBut count: Int) throws {
    try pump("takes its input") { $0.pending.count <= count }
  }

  /// Waits until standard output holds as many whole lines, and answers the last of them.
  func waitForLines(_ count: Int) throws -> String {
    try pump("prints \(count) lines") { $0.outputLines.count >= count }
    return count > 0 ? outputLines[count - 1] : ""
  }

  /// The whole lines of standard output so far.
  var outputLines: [String] {
    var lines = String(decoding: output, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.removeLast()
    return lines
  }

  /// Ends standard input once everything sent was taken, and waits for the end.
  func finish() throws -> CommandResult {
    try pump("takes its input") { $0.pending.isEmpty }
    closeInput()
    return try wait()
  }

  /// Waits for the end; standard input stays as it is.
  func wait() throws -> CommandResult {
    try pump("closes its output") { $0.sources.allSatisfy { $0.descriptor == nil } }
    try pump("ends") { $0.hasEnded }
    let status = status ?? 0
    // The macros of wait(2): the low seven bits are the signal, the byte above them the exit code.
    let signal = status & 0x7F
    return CommandResult(
      exitCode: signal == 0 ? (status >> 8) & 0xFF : -signal, output: output, errors: errors)
  }

  /// Whether the process has ended.
  var hasEnded: Bool { reap(options: WNOHANG) }

  /// Whether a signal has stopped the process.
  var isStopped: Bool {
    (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") T ")
      == true
  }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process, number) }

  /// Waits, with bytes passed both ways, until something holds.
  func pump(_ waitingFor: String, until isDone: (RunningCommand) -> Bool) throws {
    let deadline = DispatchTime.now().uptimeNanoseconds + patience * 1_000_000_000
    while !isDone(self) {
      guard DispatchTime.now().uptimeNanoseconds < deadline else {
        kill(process, SIGKILL)
        throw TimedOut(
          description: "waited \(patience) s until \"\(name)\" \(waitingFor); on standard error: "
            + String(decoding: errors, as: UTF8.self))
      }
      exchange()
    }
  }

  // MARK: Passing bytes

  /// Waits up to 5 ms, then writes and reads what the pipes take and have.
  private func exchange() {
    var requests: [pollfd] = sources.map {
      pollfd(fd: $0.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    }
    requests.append(
      pollfd(fd: pending.isEmpty ? -1 : input ?? -1, events: Int16(POLLOUT), revents: 0))
    // Safety: as many requests are passed as are counted.
    guard unsafe poll(&requests, nfds_t(requests.count), 5) > 0 else { return }
    for index in sources.indices where requests[index].revents != 0 { readMore(index) }
    if requests[sources.count].revents != 0 { writeMore() }
  }

  private func readMore(_ index: Int) {
    guard let descriptor = sources[index].descriptor else { return }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    // Safety: at most as many bytes are read as the block has.
    let count = unsafe read(descriptor, &block, block.count)
    if count > 0 {
      sources[index].bytes.append(contentsOf: block[..<count])
    } else if count == 0 || errno != EAGAIN {
      close(descriptor)
      sources[index].descriptor = nil
    }
  }

  private func writeMore() {
    guard let input else { return }
    let piece = Array(pending.prefix(1 << 16))
    // Safety: exactly the bytes of the piece are written.
    let count = unsafe write(input, piece, piece.count)
    if count > 0 {
      pending.removeFirst(count)
    } else if errno != EAGAIN {
      // Whoever was to read it has gone.
      closeInput()
    }
  }

  private func closeInput() {
    if let input { close(input) }
    input = nil
    pending.removeAll()
  }

  @discardableResult
  private func reap(options: Int32) -> Bool {
    if status != nil { return true }
    var word: Int32 = 0
    // Safety: the word outlives the call.
    let found = unsafe waitpid(process, &word, options)
    if found == process { status = word }
    return found != 0
  }

  private static func pipe() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    // Safety: the call fills both elements.
    guard unsafe Platform.pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
