/// Keeps the copies of ``LogHead`` of a log up to date.
struct LogHeadWriter {
  private let folder: String
  private let log: LogID
  var disk: any Disk
  /// A file of the log, whose permissions a new copy gets.
  var segment: String
  /// The contents of each copy; nil if it cannot be relied on.
  private var copies: [LogHead?]

  init(folder: String, log: LogID, segment: String, disk: any Disk) {
    self.folder = folder
    self.segment = segment
    self.log = log
    self.disk = disk
    copies = LogHead.read(in: folder, disk).map { $0?.log == log ? $0 : nil }
  }

  /// Records that every event before the position is durable. It must be called after their sync.
  ///
  /// Failure is harmless: the copy that was not overwritten is still valid. No file is held open, because a split has
  /// hundreds of writers.
  mutating func note(durable: UInt64) {
    let known = copies.compactMap { $0 }.max { $0.sequence < $1.sequence }
    guard durable > 0, durable != known?.durable else { return }
    // An unreliable copy is overwritten first, so at most one copy is ever in doubt.
    let older =
      copies.indices.min { (copies[$0]?.sequence ?? 0) < (copies[$1]?.sequence ?? 0) } ?? 0
    let head = LogHead(log: log, durable: durable, sequence: (known?.sequence ?? 0) &+ 1)
    copies[older] = nil
    if write(head.bytes, LogHead.names[older]) { copies[older] = head }
  }

  private func write(_ bytes: [UInt8], _ name: String) -> Bool {
    let path = folder + "/" + name
    do throws(LogError) {
      let file: any DiskFile
      do throws(LogError) {
        file = try disk.open(path, writable: true)
      } catch  where error.code == .notFound {
        file = try disk.create(path, like: [segment, folder])
      }
      try file.write(bytes, at: 0)
      return true
    } catch {
      return false
    }
  }
}
