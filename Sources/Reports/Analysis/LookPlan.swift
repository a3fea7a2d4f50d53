public import Events
internal import Specifications
public import Statistics

/// The looks at which a group sequential experiment may be decided.
public struct LookPlan: Equatable, Sendable {
  /// When looks are taken.
  public enum Schedule: Equatable, Sendable {
    /// So many, each after an equal part of the units.
    case parts(Int)
    /// At these times, ascending.
    case times([Timestamp])
  }

  /// The units of all variants that the last look is to have.
  public var units: Int
  /// When looks are taken.
  public var schedule: Schedule
  /// The alpha-spending function.
  public var spending = GroupSequential.Spending.obrienFleming

  /// Creates a plan.
  public init(units: Int, _ schedule: Schedule) { (self.units, self.schedule) = (units, schedule) }

  /// The number of looks.
  var count: Int {
    switch schedule {
    case .parts(let count): count
    case .times(let times): times.count
    }
  }

  /// The looks in words.
  var text: String { "\(count) looks, spending \(spending.name), at \(units) units" }
}

extension GroupSequential.Spending {
  /// The forms of spending functions.
  static let forms = ["lan-obf", "lan-pocock", "power=P with P above 0 and at most 10"]

  /// Finds a spending function by its name.
  ///
  /// - Throws: ``OptionError`` that lists the functions.
  init(named text: String) throws(OptionError) {
    switch text {
    case "lan-obf": self = .obrienFleming
    case "lan-pocock": self = .pocock
    default:
      guard text.hasPrefix("power="), let power = WrittenValue.number(text.dropFirst(6)), power > 0,
        power <= 10
      else {
        throw OptionError(NearestName.unknown("spending function", text, among: Self.forms))
      }
      self = .power(power)
    }
  }

  /// The name, such as `lan-obf` or `power=2`.
  var name: String {
    switch self {
    case .obrienFleming: "lan-obf"
    case .pocock: "lan-pocock"
    case .power(let power): "power=\(Int(exactly: power).map(String.init) ?? "\(power)")"
    }
  }
}

/// A look that was taken.
struct TakenLook {
  /// Its number, from 1.
  let number: Int
  /// The end of the events that it reads, exclusive.
  let time: Timestamp
  /// The information of the looks up to this one, as parts of that planned; the last may be more than 1.
  let information: [Double]
}

/// The looks that were taken of an experiment, and the next one.
struct LookCourse {
  private(set) var taken: [TakenLook] = []
  /// The start of the day of the next look at the present rate; nil if there is none or it is not known.
  private(set) var next: Timestamp?
  /// Whether the last look was taken.
  private(set) var isOver = false

  /// Finds the looks.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - days: The new units of each day, counted from 1970-01-01.
  ///   - last: The time up to which events were read: a day that is not over has no look.
  ///   - calendar: The days of the time zone of the report.
  init(
    _ plan: LookPlan, _ days: [Int64: Int], last: Timestamp?, in calendar: DayCalendar = .utc
  ) {
    var information: [Double] = []
    for number in 1...plan.count {
      let time = Self.time(number, plan, days, calendar)
      guard let time, last.map({ time <= $0 }) ?? false else {
        next = Self.expected(number, plan, days, calendar)
        return
      }
      let units = days.reduce(0) { $0 + (calendar.start(ofDay: $1.key) < time.microseconds ? $1.value : 0) }
      // Beyond the plan it is more than 1: what is left of the level is spent, at the information that is there.
      let planned = Double(units) / Double(plan.units)
      let share = number == plan.count ? max(1, planned) : planned
      guard share > (information.last ?? 0) else { continue }
      information.append(share)
      taken.append(TakenLook(number: number, time: time, information: information))
      if share >= 1 { break }
    }
    isOver = true
  }

  /// Returns the time of a look; nil if it has not come yet.
  private static func time(
    _ number: Int, _ plan: LookPlan, _ days: [Int64: Int], _ calendar: DayCalendar
  ) -> Timestamp? {
    switch plan.schedule {
    case .times(let times): return times[number - 1]
    case .parts(let count):
      let needed = (Double(plan.units) * Double(number) / Double(count)).rounded(.up)
      var units = 0
      for day in days.keys.sorted() {
        units += days[day] ?? 0
        if Double(units) >= needed { return Timestamp(microseconds: calendar.start(ofDay: day + 1)) }
      }
      return nil
    }
  }

  /// Returns the start of the day on which a look is to be taken at the present rate: that after the day on which its
  /// units are there.
  private static func expected(
    _ number: Int, _ plan: LookPlan, _ days: [Int64: Int], _ calendar: DayCalendar
  ) -> Timestamp? {
    switch plan.schedule {
    case .times(let times): return times[number - 1]
    case .parts(let count):
      guard let first = days.keys.min(), let last = days.keys.max() else { return nil }
      let units = Double(days.values.reduce(0, +))
      let rate = units / Double(last - first + 1)
      let needed = Double(plan.units) * Double(number) / Double(count)
      let more = ((needed - units) / rate).rounded(.up)
      guard rate > 0, more < 36_525 else { return nil }
      return Timestamp(microseconds: calendar.start(ofDay: last + Int64(max(0, more)) + 1))
    }
  }
}
