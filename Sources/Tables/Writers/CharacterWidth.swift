/// The width of characters on a terminal: 0, 1 or 2 columns, more for clusters of several letters.
///
/// East Asian wide and full-width characters and emoji take two columns (Unicode Standard Annex #11, and the emoji
/// properties of #51), marks and joiners none. Terminals differ for rare emoji sequences; here a sequence takes two
/// columns, as in newer terminals.
enum CharacterWidth {
  /// Returns the width of a user-perceived character.
  static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
    let scalars = character.unicodeScalars
    if scalars.count > 1, scalars.first?.properties.isEmoji == true,
      scalars.dropFirst().contains(where: makesEmojiSequence)
    {
      return 2
    }
    return scalars.reduce(0) { $0 + of($1) }
  }

  /// Returns whether a scalar is a joiner, the emoji presentation selector, or a skin tone.
  private static func makesEmojiSequence(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200D}" || scalar == "\u{FE0F}" || scalar.properties.isEmojiModifier
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    // Medial and final Hangul letters join the one before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    // Two regional indicators make one flag of two columns.
    case 0x1F1E6...0x1F1FF: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    if scalar.properties.isEmojiPresentation { return true }
    return wideRanges.contains { $0.contains(scalar.value) }
  }

  /// Blocks whose characters are all wide or unassigned.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D356, 0x1D360...0x1D376,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
