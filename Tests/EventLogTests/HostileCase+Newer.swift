import Events

@testable import EventLog

/// What a newer version may write: passed over where it can be, refused by name where it cannot.
extension HostileCase {
  static let newer: [HostileCase] = [
    column("a column of an unknown id", 100), column("a column of an id beyond 8 bits", 300),
    column("a column whose id looks like that of literals", 389),
    column("a column of the largest id", .max),
    HostileCase(description: "an unknown column of an unknown codec", outcome: .unchanged) {
      var chunk = $0.frames[0].chunks[0]
      chunk.entry.replaceLittleEndian(100 as UInt16, at: 0)
      chunk.entry[2] = 9
      $0.frames[0].chunks.append(chunk)
    },
    header("unknown flags of a frame", 5, .unchanged, 0xFE as UInt8),
    chunk("unknown flags of a column", .time, .unchanged) { $0.entry[3] |= 0xFE },
    chunk("reserved bytes of a column", .time, .unchanged) {
      $0.entry.replaceLittleEndian(UInt16.max, at: 42)
    },
    header("a frame of type 2", 4, .refused(.newerVersion), 2 as UInt8),
    header("a frame of type 0", 4, .refused(.newerVersion), 0 as UInt8),
    chunk("an unknown codec", .reason, .refused(.newerVersion)) { $0.entry[2] = 2 },
    chunk("an unknown codec of another length", .reason, .refused(.newerVersion)) {
      $0.entry[2] = 255
      $0.entry.replaceLittleEndian(7 as UInt32, at: 16)
    },
    chunk("an unknown encoding", .reason, .refused(.newerVersion)) {
      $0.entry[40] = 99
      $0.stored[0] = 99
    },
    raw("an encoding that the directory does not name", .reason) { $0[0] = 99 },
  ]

  private static func column(_ description: String, _ id: UInt16) -> HostileCase {
    HostileCase(description: description, outcome: .unchanged) {
      var chunk = $0.frames[0].chunks[0]
      chunk.entry.replaceLittleEndian(id, at: 0)
      $0.frames[0].chunks.append(chunk)
    }
  }
}
