internal import Statistics

/// What policies within a policy had chosen at decisions whose rewards are still to come.
///
/// A decision is found by a number that is given back with its reward. If more than 65,536 decisions came after it, it is
/// forgotten, so that rewards that never come take no more memory than that.
struct ChoiceRing<Note: Sendable>: Sendable {
  private static var largest: Int { 1 << 16 }
  private let width: Int
  /// The number of the decision in each place; −1 for none.
  private var numbers: [Int]
  private var notes: [Note]
  private var choices: [Choice]
  private var next = 0

  /// Room for some choices at each decision, and a note.
  init(width: Int, note: Note) {
    self.width = width
    numbers = [Int](repeating: -1, count: 64)
    notes = [Note](repeating: note, count: 64)
    choices = [Choice](repeating: Choice(0), count: 64 * width)
  }

  /// Keeps a decision.
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

  /// The note of a decision, if it is still known; it is forgotten with the next one that is kept.
  mutating func take(_ number: Int) -> Note? {
    guard number >= 0, numbers[place(number)] == number else { return nil }
    numbers[place(number)] = -1
    return notes[place(number)]
  }

  /// A choice at the decision that was just taken.
  func choice(_ number: Int, _ index: Int) -> Choice { choices[place(number) * width + index] }

  private func place(_ number: Int) -> Int { number & (numbers.count - 1) }

  /// Twice the room. The numbers that are kept differ by less than the room there was.
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
