import Foundation

/// The tests of `make test-long`, which take all seeds where `make test` takes some.
public enum LongTests {
  /// Whether they are wanted.
  public static let areWanted =
    ProcessInfo.processInfo.environment["BANDOLIER_LONG_TESTS"] != nil

  /// The chunks of seeds that a test runs: all of them, or the first few.
  public static func chunks(_ few: UInt64, of all: UInt64) -> Range<UInt64> {
    0..<(areWanted ? all : few)
  }

  /// The seeds of the random logs that each report is held against by its naive twin: one count for all of them.
  public static let twins = chunks(100, of: 2_000)
}
