import Foundation

/// The tests of `make test SLOW=1`, which `.ci/run` runs: those that start many processes or go through many schedules,
/// and three times as many seeds as without it.
public enum SlowTests {
  /// Whether they are wanted.
  public static let areWanted =
    LongTests.areWanted || ProcessInfo.processInfo.environment["BANDOLIER_SLOW_TESTS"]?.isEmpty == false
}

/// The tests of `make test-long`, which take all seeds where the others take some.
public enum LongTests {
  /// Whether they are wanted.
  public static let areWanted =
    ProcessInfo.processInfo.environment["BANDOLIER_LONG_TESTS"] != nil

  /// The chunks of seeds that a test runs: all of them, the first few or, without the slow tests, a third of these.
  public static func chunks(_ few: UInt64, of all: UInt64) -> Range<UInt64> {
    0..<(areWanted ? all : SlowTests.areWanted ? few : (few + 2) / 3)
  }

  /// The seeds of the random logs that each report is held against by its naive twin: one count for all of them.
  public static let twins = chunks(100, of: 2_000)
}
