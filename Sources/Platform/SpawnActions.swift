#if canImport(Darwin)
  /// The changes that a new process makes to its descriptors before it starts.
  package typealias SpawnActions = posix_spawn_file_actions_t?

  /// The environment of this process, for a new one.
  package var processEnvironment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    // Safety: the variable is read only, and the process never changes its environment.
    unsafe _NSGetEnviron().pointee
  }
#else
  /// The changes that a new process makes to its descriptors before it starts.
  package typealias SpawnActions = posix_spawn_file_actions_t

  /// The environment of this process, for a new one.
  package var processEnvironment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    // Safety: the variable is read only, and the process never changes its environment.
    unsafe environ
  }
#endif
