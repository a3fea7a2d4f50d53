internal import Events
internal import Prediction

extension Study: Codable {
  private enum CodingKeys: String, CodingKey { case description, options, learning }

  /// Decodes a study. One without learned state uses `Predictor.beauchamp`.
  ///
  /// - Throws: `DecodingError` with the path of the missing or invalid member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let description = try container.decode(String.self, forKey: .description)
    let options = try container.decode([StudyOption].self, forKey: .options)
    let learning = try container.decodeIfPresent(Predictor.Learning.self, forKey: .learning)
    func damaged(_ key: CodingKeys, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    guard !description.isEmpty else {
      throw damaged(.description, "is empty")
    }
    let counts: OptionCounts
    do throws(StudyError) {
      counts = try OptionCounts(options)
    } catch {
      throw damaged(.options, "cannot be: \(error)")
    }
    guard let learning else {
      self.init(description: description, counts: counts, predictor: .beauchamp, at: nil)
      return
    }
    guard learning.optionCount == counts.names.count else {
      throw damaged(.learning, "does not fit the options")
    }
    self.init(description: description, counts: counts, learning: learning)
  }

  /// Encodes the description, the options with their counts, and what the predictor learned.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(description, forKey: .description)
    try container.encode(options, forKey: .options)
    try container.encode(learning, forKey: .learning)
  }
}
