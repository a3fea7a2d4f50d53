internal import Prediction

/// The state of a study of one unit at a point in the log: its current options and their counts.
struct StudyRun: Sendable {
  /// The index of the study.
  var study: UInt32 = 0
  /// Whether the study exists, through a definition or a take.
  var isThere = false
  /// The options in declared order.
  private(set) var options: [UInt32] = []
  private var takes: [Int] = []
  /// The number of times all options were encountered.
  private var encounters = 0
  /// The number of global configurations applied so far.
  var configured = 0
  /// The list of choices that its options were set from; 0 if none, or if they have changed since.
  var offer: UInt32 = 0
  /// The version of the features that its predictor saw last; 0 for none.
  var features = 0

  /// Starts over with another study, reusing memory.
  mutating func begin(_ study: UInt32) {
    self.study = study
    isThere = false
    options.removeAll(keepingCapacity: true)
    takes.removeAll(keepingCapacity: true)
    (encounters, configured, offer, features) = (0, 0, 0, 0)
  }

  /// Appends an option with no takes.
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

  /// Counts an encounter of the options, of which there is at least one.
  @inline(__always)
  mutating func encounter() { if encounters < .max { encounters += 1 } }

  /// Replaces options and counts.
  mutating func set(_ options: [UInt32], _ takes: [Int], _ encounters: Int) {
    (self.options, self.takes) = (options, takes)
    self.encounters = options.isEmpty ? 0 : encounters
    offer = 0
  }

  /// Sets the options to those offered: options that remain keep their order and counts, and new ones are appended.
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
