import Foundation
import Platform
import Synchronization
import Testing

@testable import Tables

/// What another thread has read up to the end of a pipe.
private final class Collector: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let end = DispatchSemaphore(value: 0)

  func readAll(from descriptor: Int32) {
    var part = [UInt8](repeating: 0, count: 3_001)
    while true {
      // Safety: the array has the room stated.
      let count = unsafe read(descriptor, &part, part.count)
      if count <= 0 { break }
      bytes.withLock { $0 += part[..<count] }
    }
    end.signal()
  }

  func wait() -> [UInt8] {
    end.wait()
    return bytes.withLock { $0 }
  }
}

@Suite("Standard output")
struct StandardOutputTests {
  private func makePipe() -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    // Safety: the array has room for the two ends.
    #expect(unsafe pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test("writes everything to a slow reader, also when the descriptor does not block")
  func allBytes() throws {
    let (reader, writer) = makePipe()
    defer { close(reader) }
    #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let collector = Collector()
    // A thread of its own, because this one waits for it.
    Thread.detachNewThread { collector.readAll(from: reader) }
    try StandardOutput(descriptor: writer, name: "pipe").append(bytes)
    close(writer)
    #expect(collector.wait() == bytes)
  }

  @Test("reports a reader that has gone")
  func brokenPipe() throws {
    signal(SIGPIPE, SIG_IGN)
    let (reader, writer) = makePipe()
    close(reader)
    defer { close(writer) }
    let sink = StandardOutput(descriptor: writer, name: "standard output")
    #expect(throws: OutputError.failed("standard output", SystemError(number: EPIPE))) {
      try sink.append([1])
    }
    #expect(OutputError.failed("x", SystemError(number: EPIPE)).code == .brokenPipe)
  }

  @Test("reports a closed descriptor and a full disk")
  func errors() throws {
    #expect(throws: OutputError.failed("x", SystemError(number: EBADF))) {
      try StandardOutput(descriptor: -1, name: "x").append([1])
    }
    // Safety: the path is a terminated constant.
    let full = unsafe open("/dev/full", O_WRONLY)
    defer { close(full) }
    #expect(throws: OutputError.failed("x", SystemError(number: ENOSPC))) {
      try StandardOutput(descriptor: full, name: "x").append([1])
    }
  }
}
