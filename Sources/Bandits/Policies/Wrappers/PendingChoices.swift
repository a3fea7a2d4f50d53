internal import Statistics

/// The choices of wrapped policies at decisions whose rewards are pending.
///
/// A decision is found by a number that comes back with its reward. It is dropped when more than 65,536 decisions
/// follow it, so rewards that never arrive use bounded memory.
struct PendingChoices<Note: Sendable>: Sendable {
  private static var largest: Int { 1 << 16 }
  private let width: Int
  /// The number of the decision in each slot; −1 for none.
  private var numbers: [Int]
  private var notes: [Note]
  private var choices: [Choice]
  private var next = 0

  /// Creates a ring that holds a number of choices and a note per decision.
  init(width: Int, note: Note) {
    self.width = width
    numbers = [Int](repeating: -1, count: 64)
    notes = [Note](repeating: note, count: 64)
    choices = [Choice](repeating: Choice(0), count: 64 * width)
  }

  /// Stores a decision.
  ///
  /// - Returns: Its number, from 0.
  mutating func add(_ note: Note, _ made: [Choice]) -> Int {
    if numbers[place(next)] >= 0, numbers.count < Self.largest { grow() }
    let place = place(next)
    numbers[place] = next
    notes[place] = note
    for index in 0..<width { choices[place * width + index] = made[index] }
    next += 1
    return next - 1
  }

  /// Removes a decision and returns its note if it is still stored. Its choices can be read until the next one is
  /// added.
  mutating func take(_ number: Int) -> Note? {
    guard number >= 0, numbers[place(number)] == number else { return nil }
    numbers[place(number)] = -1
    return notes[place(number)]
  }

  /// Returns a choice of the decision that was just taken.
  func choice(_ number: Int, _ index: Int) -> Choice { choices[place(number) * width + index] }

  private func place(_ number: Int) -> Int { number & (numbers.count - 1) }

  /// Doubles the capacity. The stored numbers differ by less than the old capacity.
  private mutating func grow() {
    let old = self
    let count = numbers.count
    numbers = [Int](repeating: -1, count: 2 * count)
    notes += old.notes
    choices += old.choices
    for number in old.numbers where number >= 0 {
      let (from, to) = (old.place(number), place(number))
      numbers[to] = number
      notes[to] = old.notes[from]
      for index in 0..<width { choices[to * width + index] = old.choices[from * width + index] }
    }
  }
}
