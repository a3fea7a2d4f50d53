internal import Prediction

/// A study of one unit on its way through the log: its options now, and how often they were taken.
struct StudyRun: Sendable {
  /// The number of the study.
  var study: UInt32 = 0
  /// Whether it was defined, be it by a take.
  var isThere = false
  /// The options in declared order.
  private(set) var options: [UInt32] = []
  private var takes: [Int] = []
  /// How often all options were encountered.
  private var encounters = 0
  /// How many configurations of everyone it has been through.
  var configured = 0
  /// What its options are made from where decisions say what they could choose from; 0 for nothing, or for something
  /// else since.
  var offer: UInt32 = 0
  /// Which features its predictor saw last; 0 for none.
  var features = 0

  /// Begins anew, with memory that is used again.
  mutating func begin(_ study: UInt32) {
    self.study = study
    isThere = false
    options.removeAll(keepingCapacity: true)
    takes.removeAll(keepingCapacity: true)
    (encounters, configured, offer, features) = (0, 0, 0, 0)
  }

  /// Adds an option at the end, never taken.
  mutating func append(_ option: UInt32) {
    options.append(option)
    takes.append(0)
    offer = 0
  }

  @inline(__always)
  mutating func take(_ place: Int) {
    if takes[place] < .max { takes[place] += 1 }
    encounter()
  }

  /// The options were encountered, of which there is one at least.
  @inline(__always)
  mutating func encounter() { if encounters < .max { encounters += 1 } }

  /// Replaces options and counts.
  mutating func set(_ options: [UInt32], _ takes: [Int], _ encounters: Int) {
    (self.options, self.takes) = (options, takes)
    self.encounters = options.isEmpty ? 0 : encounters
    offer = 0
  }

  /// Makes the options those that are offered: those that stay keep their order and counts, and others come behind them.
  mutating func set(offered: [UInt32]) {
    let wanted = Set(offered)
    let kept = options.indices.filter { wanted.contains(options[$0]) }
    let known = Set(options)
    let new = offered.filter { !known.contains($0) }
    set(
      kept.map { options[$0] } + new, kept.map { takes[$0] } + new.map { _ in 0 },
      kept.isEmpty ? 0 : encounters)
  }

  /// The options and their counts.
  var table: OptionTable<UInt32> {
    var table = OptionTable<UInt32>()
    for (option, count) in zip(options, takes) { table.append(option, taken: count) }
    table.setEncountered(encounters)
    return table
  }
}
