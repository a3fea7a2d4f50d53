/// A report has more groups (variants, or values of its dimension within them) than the memory limit has room for.
public struct GroupLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many groups there are; nil when the replay ended before it had seen all.
  public let groups: Int?
  /// How many groups there is room for.
  public let room: Int
  /// Memory in bytes that all groups take; nil when nobody knows how many there are.
  public let bytes: Int?
  /// The memory limit in bytes.
  public let limit: Int

  /// What is wrong, and how to mend it.
  public var description: String {
    let need = bytes.map { ", and need about \(Self.megabytes($0)) MB" } ?? ""
    return
      "\(groups.map(String.init) ?? "more than \(room)") groups (variants, by the values of --by) are too many for "
      + "--memory: it has room for \(room) of them in \(Self.megabytes(limit)) MB\(need); give more --memory, or look at "
      + "fewer of them (--experiment, or another --by)"
  }

  private static func megabytes(_ bytes: Int) -> Int { max(1, (bytes + 1 << 19) >> 20) }
}

/// What of the memory limit the groups of a replay may take: beside the events of units the half that these leave, and all
/// of it once units were shown and groups become rows.
struct GroupBudget: Sendable {
  private let limit: Int
  /// What one group takes in the tables of all projectors together.
  private let bytesPerGroup: Int
  /// What the rows of one group take, while they are sorted and written.
  private let bytesPerRow: Int

  /// A group is in the tables of several threads, in their sum, and in the result at once.
  private static let copies = 4

  /// So many have room under any limit.
  private static let leastRoom = 1_000

  /// - Returns: nil where nothing is limited.
  init?(limit: Int?, bytesPerGroup: Int, bytesPerRow: Int) {
    guard let limit, bytesPerGroup > 0 else { return nil }
    self.limit = limit
    self.bytesPerGroup = bytesPerGroup * Self.copies
    self.bytesPerRow = bytesPerRow * Self.copies
  }

  /// The limit that one group needs.
  private var need: Int { max(2 * bytesPerGroup, bytesPerGroup + bytesPerRow) }

  private var room: Int { max(limit / need, Self.leastRoom) }

  /// Refuses more arms than there is room for, before any unit is looked at.
  func admit(arms: Int) throws {
    guard arms > room else { return }
    let (bytes, isOver) = arms.multipliedReportingOverflow(by: need)
    throw GroupLimitError(groups: arms, room: room, bytes: isOver ? nil : bytes, limit: limit)
  }

  /// Refuses more groups than there is room for in one thread's tables.
  func admit(groupsOfThread groups: Int) throws {
    guard groups > room else { return }
    throw GroupLimitError(groups: nil, room: room, bytes: nil, limit: limit)
  }
}
