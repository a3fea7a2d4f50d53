internal import CMemory

/// The resources and limits of the system.
package enum SystemLimits {
  /// The number of processors available, at least 1.
  package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The size of a page of memory in bytes.
  package static var pageSize: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

  /// Raises the limit on open files as far as the system permits: each segment of a log, and each connection, is one.
  package static func raiseOpenFiles() {
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    // Safety: both calls use the value while they run and keep no pointer. Where they fail, the usual limit holds, and
    // opening one file too many says so.
    guard unsafe getrlimit(files, &limit) == 0 else { return }
    #if canImport(Darwin)
      limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
    #else
      limit.rlim_cur = limit.rlim_max
    #endif
    _ = unsafe setrlimit(files, &limit)
  }

  /// Opens those of the three standard descriptors that are closed, so that no file or pipe takes the place of one:
  /// reading or writing them fails, as it does with a closed one.
  package static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // Safety: the path is a constant. The lowest free descriptor is taken, which is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Lets this thread, and those that it starts, run after the other threads of the machine.
  ///
  /// - Parameter niceness: From 1 to 19, at which it runs only when no other thread needs a processor.
  ///
  /// On Linux each thread has a priority, which those that it starts inherit; elsewhere nothing changes.
  package static func yieldThisThread(niceness: Int32 = 19) {
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    #elseif canImport(Musl)
      _ = setpriority(PRIO_PROCESS, 0, niceness)
    #endif
  }

  /// Has large blocks of memory returned to the system as soon as they are freed, however many there were before.
  ///
  /// The allocator of glibc otherwise keeps blocks for itself that are as large as those freed before, in a part for
  /// each thread, so that a process may keep several times the memory that it uses at once.
  package static func returnLargeBlocks() {
    bandolier_return_blocks(1 << 20)
  }

  /// Asks for large pages of memory where the system has them.
  package static func adviseLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    #if canImport(Glibc) || canImport(Musl)
      // Safety: the advice is about this memory alone, and changes nothing of its content.
      _ = unsafe madvise(memory.baseAddress, memory.count, MADV_HUGEPAGE)
    #endif
  }
}
