import CSQLite
import Foundation
import Platform
import Threads

/// The calls by which SQLite changes files, seen before they are made: each is a moment at which a process can be killed,
/// and each can fail.
///
/// SQLite lets tests put their own functions in the place of system calls. They are those of the whole process, so a
/// watcher is told only of files under its own folder.
enum WatchedCalls {
  /// Told of a call before it is made; answers the error number with which it is to fail, nil to let it be made.
  typealias Watcher = @Sendable (_ call: String, _ path: String) throws -> Int32?

  private static let watchers = Monitor<[String: Watcher]>([:])

  /// Calls the closure while a watcher sees what happens to files whose paths begin with a prefix.
  static func watching<Answer>(
    _ prefix: String, _ watcher: @escaping Watcher, _ body: () throws -> Answer
  ) rethrows -> Answer {
    _ = installed
    watchers.withLock { $0[prefix] = watcher }
    defer { watchers.withLock { $0[prefix] = nil } }
    return try body()
  }

  fileprivate static func error(_ call: String, _ path: String) -> Int32? {
    let watcher = watchers.withLock { $0.first { path.hasPrefix($0.key) }?.value }
    return (try? watcher?(call, path)) ?? nil
  }

  fileprivate static func path(of descriptor: Int32) -> String {
    var bytes = [CChar](repeating: 0, count: 4_096)
    // Safety: at most as many bytes are written as are passed, and the last stays zero.
    let count = unsafe readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count - 1)
    return String(
      decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let installed: Void = {
    // Safety: each function has the type that SQLite calls the system call of that name with.
    let write: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { descriptor, bytes, count in
      if let number = error("write", path(of: descriptor)) {
        errno = number
        return -1
      }
      return unsafe Platform.write(descriptor, bytes, count)
    }
    let pwrite: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
      descriptor, bytes, count, place in
      if let number = error("pwrite", path(of: descriptor)) {
        errno = number
        return -1
      }
      return unsafe Platform.pwrite(descriptor, bytes, count, place)
    }
    let truncate: @convention(c) (Int32, off_t) -> Int32 = { descriptor, size in
      if let number = error("ftruncate", path(of: descriptor)) {
        errno = number
        return -1
      }
      return Platform.ftruncate(descriptor, size)
    }
    let remove: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { path in
      guard let path = unsafe path else { return -1 }
      if let number = unsafe error("unlink", String(cString: path)) {
        errno = number
        return -1
      }
      return unsafe Platform.unlink(path)
    }
    guard let system = unsafe sqlite3_vfs_find(nil) else { return }
    for (name, call) in [
      ("write", unsafe unsafeBitCast(write, to: sqlite3_syscall_ptr.self)),
      ("pwrite", unsafe unsafeBitCast(pwrite, to: sqlite3_syscall_ptr.self)),
      ("pwrite64", unsafe unsafeBitCast(pwrite, to: sqlite3_syscall_ptr.self)),
      ("ftruncate", unsafe unsafeBitCast(truncate, to: sqlite3_syscall_ptr.self)),
      ("unlink", unsafe unsafeBitCast(remove, to: sqlite3_syscall_ptr.self)),
    ] {
      // Safety: the name is terminated and used during the call; the functions are never gone.
      _ = unsafe system.pointee.xSetSystemCall?(system, name, call)
    }
  }()
}
