/// The file of a writer that was closed: it holds nothing open, and cannot be read or written.
final class ClosedFile: DiskFile {
  let path: String

  init(path: String) { self.path = path }

  private var error: LogError {
    LogError(.poisoned, "the writer of this file is closed; open the log again", path: path)
  }

  func size() throws(LogError) -> UInt64 { throw error }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] { throw error }
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) { throw error }
  func truncate(to size: UInt64) throws(LogError) { throw error }
  func sync() throws(LogError) { throw error }
}
