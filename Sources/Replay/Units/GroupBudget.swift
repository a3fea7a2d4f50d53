package import Specifications

/// An error thrown when a report has more groups (variants, or values of its dimension within them; for estimated
/// propensities, kinds of situations) than the memory limit allows.
public struct GroupLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The counted things, in the plural.
  public enum Kind: Sendable, Hashable {
    /// Variants, by the values of the dimension.
    case variants
    /// Kinds of situations in which the choices of logging policies are counted.
    case situations
  }

  /// The number of groups; nil if the replay ended before it had seen all.
  public let groups: Int?
  /// The maximum number of groups.
  public let room: Int
  /// The memory that all groups take, in bytes; nil if their number is unknown.
  public let bytes: Int?
  /// The memory limit in bytes.
  public let limit: Int
  /// The kind of the groups.
  public let kind: Kind

  /// A message that says what is wrong, and how to fix it.
  public var description: String {
    let need = bytes.map { ", and need about \(Self.megabytes($0)) MB" } ?? ""
    let number = groups.map(String.init) ?? "more than \(room)"
    let (what, remedy) =
      switch kind {
      case .variants:
        (
          "groups (variants, by the values of their dimension)",
          "select fewer of them (--experiment, another --by or other dimensions of an analysis file)"
        )
      case .situations:
        (
          "kinds of situations (slot, choices and values of the attributes that the policies choose by)",
          "evaluate policies that choose by fewer attributes, or leave out the estimators of estimated propensities, "
            + "such as balanced-ips"
        )
      }
    return
      "\(number) \(what) exceed the memory limit, which allows \(room) of them in \(Self.megabytes(limit)) MB\(need); "
      + "raise --memory, or \(remedy)"
  }

  private static func megabytes(_ bytes: Int) -> Int { max(1, (bytes + 1 << 19) >> 20) }
}

/// The part of the memory limit available to the groups of a replay: besides the events of units the half that these
/// leave, and all of it once the units have been processed and groups become rows.
struct GroupBudget: Sendable {
  private let limit: Int
  /// The bytes of one group in all projectors together, from its first event to its row.
  private let bytesPerGroup: Int
  /// The bytes of the report rows of one group, while they are sorted and written.
  private let bytesPerRow: Int

  /// The number of copies of a group that exist at once: in the tables of several threads, in their sum, and in the
  /// result.
  private static let copies = 4

  /// The number of groups that is always allowed.
  private static let leastRoom = 1_000

  /// Creates a budget.
  ///
  /// - Returns: nil without a limit.
  init?(limit: Int?, bytesPerGroup: Int, bytesPerRow: Int) {
    guard let limit, bytesPerGroup > 0 else { return nil }
    self.limit = limit
    self.bytesPerGroup = bytesPerGroup * Self.copies
    self.bytesPerRow = bytesPerRow * Self.copies
  }

  /// The memory limit that one group needs.
  private var need: Int { max(2 * bytesPerGroup, bytesPerGroup + bytesPerRow) }

  private var room: Int { max(limit / need, Self.leastRoom) }

  /// Throws if there are more arms than allowed, before any unit is processed.
  func admit(arms: Int) throws {
    guard arms > room else { return }
    let (bytes, isOver) = arms.multipliedReportingOverflow(by: need)
    throw GroupLimitError(
      groups: arms, room: room, bytes: isOver ? nil : bytes, limit: limit, kind: .variants)
  }

  /// Throws if there are more groups than allowed in one thread's tables.
  func admit(groupsOfThread groups: Int, _ kind: GroupLimitError.Kind = .variants) throws {
    guard groups > room else { return }
    throw GroupLimitError(groups: nil, room: room, bytes: nil, limit: limit, kind: kind)
  }
}

extension GroupLimitError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}
