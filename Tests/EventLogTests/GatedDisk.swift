import Foundation
import TestSupport
import Threads

@testable import EventLog

/// The real file system, with a gate in front of every sync of a file, and a record of what they covered.
final class GatedDisk: WrappingDisk {
  struct State {
    var gate: (@Sendable (Int) throws(LogError) -> Void)?
    /// How many syncs came to the gate.
    var syncs = 0
    /// How many bytes of each file the syncs that have ended covered.
    var covered: [String: UInt64] = [:]
    /// Which write fails, counted from the moment it is set: 1 is the next.
    var failingWrite = 0
  }

  let state = Monitor(State())
  let real = SystemDisk()

  /// Has every sync from now on call the closure, with its number from 1 on, before it does anything.
  func setGate(_ gate: @escaping @Sendable (Int) throws(LogError) -> Void) {
    state.withLock { $0.gate = gate }
  }

  /// How many syncs came to the gate.
  var syncs: Int { state.withLock { $0.syncs } }

  /// How many bytes of each file are durable.
  var covered: [String: UInt64] { state.withLock { $0.covered } }

  func wrap(_ file: any DiskFile) -> any DiskFile { GatedFile(file, self) }
}

private final class GatedFile: WrappingFile {
  let real: any DiskFile
  private let disk: GatedDisk

  init(_ real: any DiskFile, _ disk: GatedDisk) { (self.real, self.disk) = (real, disk) }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    let fails = disk.state.withLock { state in
      state.failingWrite -= 1
      return state.failingWrite == 0
    }
    guard !fails else {
      try real.write(Array(bytes.prefix(bytes.count / 2)), at: offset)
      throw LogError(.inputOutput, "No space left on device", path: path)
    }
    try real.write(bytes, at: offset)
  }
  func sync() throws(LogError) {
    let size = try real.size()
    let (gate, number) = disk.state.withLock { state in
      state.syncs += state.gate == nil ? 0 : 1
      return (state.gate, state.syncs)
    }
    try gate?(number)
    try real.sync()
    disk.state.withLock { $0.covered[path] = size }
  }
}

/// A gate that a test opens.
final class Gate: Sendable {
  private let isOpen = Monitor(false)

  func open() {
    isOpen.withLock {
      $0 = true
      isOpen.announce()
    }
  }

  func pass() {
    let _: Bool = isOpen.wait { $0 ? true : nil }
  }
}
