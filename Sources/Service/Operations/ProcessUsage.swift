internal import Platform

/// The resources of the machine that the process uses.
struct ProcessUsage {
  /// The size of the memory that is in RAM.
  let residentBytes: Int
  /// The size of the address space in use.
  let virtualBytes: Int
  /// The user and system time of all threads.
  let processorSeconds: Double

  /// Asks the system; nil if it does not say.
  init?() {
    guard let text = Self.statistics() else { return nil }
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count >= 2 else { return nil }
    let page = SystemLimits.pageSize
    virtualBytes = numbers[0] * page
    residentBytes = numbers[1] * page
    var usage = rusage()
    // Safety: the call fills the value and keeps no pointer.
    guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
    processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
      sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
  }

  private static func statistics() -> String? {
    // Safety: the path outlives the call.
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var block = [UInt8](repeating: 0, count: 256)
    // Safety: no more is read than the block holds.
    let count = unsafe read(file, &block, block.count)
    return count > 0 ? String(decoding: block[..<count], as: UTF8.self) : nil
  }
}
