extension stat {
  /// The time at which the content was changed.
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }

  /// The time at which the content, the owner or the permissions were changed.
  package var changeTime: timespec {
    #if canImport(Darwin)
      st_ctimespec
    #else
      st_ctim
    #endif
  }
}

/// Makes the content of a file durable, as `fdatasync` does.
///
/// - Returns: 0; -1 for an error, with its number in `errno`.
package func synchronizeContent(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    // There `fsync` leaves the content in the cache of the device.
    fcntl(descriptor, F_FULLFSYNC)
  #else
    fdatasync(descriptor)
  #endif
}
