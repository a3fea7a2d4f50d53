import Foundation
import Platform

/// A terminal that nobody sits at: what a process prints to it can be read here.
final class PseudoTerminal {
  /// What a process is given as its standard output.
  let descriptor: Int32
  private let master: Int32

  init(columns: Int) throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    // Safety: everything passed outlives the call; the name is not asked for.
    guard unsafe openpty(&ends.master, &ends.slave, nil, nil, &size) == 0 else {
      throw POSIXError(.ENXIO)
    }
    (master, descriptor) = ends
    for end in [master, descriptor] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(descriptor)
    close(master)
  }

  /// Runs the command with this as its standard output, and answers how it ended and what it showed.
  func run(_ arguments: [String], environment: [String: String]) throws -> CommandResult {
    let command = try Command.start(
      arguments, environment: environment, output: .descriptor(descriptor))
    var shown: [UInt8] = []
    // The terminal holds little, so it is emptied while the command runs.
    try command.pump("ends") { command in
      shown += take()
      return command.hasEnded
    }
    let result = try command.finish()
    shown += take()
    let text = String(decoding: shown, as: UTF8.self).replacing("\r\n", with: "\n")
    return CommandResult(
      exitCode: result.exitCode, output: Array(text.utf8), errors: result.errors)
  }

  private func take() -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    // Safety: at most as many bytes are read as the block has.
    let count = unsafe read(master, &block, block.count)
    return Array(block.prefix(max(0, count)))
  }
}
