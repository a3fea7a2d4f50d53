internal import Platform

/// A user's preferred languages and country.
public struct UserLocale: Hashable, Sendable {
  /// Language tags such as `en-GB`, most preferred first; empty when unknown.
  public var languages: [String]
  /// The country, such as `IL`; nil when unknown. It is never derived from a language tag.
  public var region: String?

  /// Creates a locale.
  public init(languages: [String] = [], region: String? = nil) {
    self.languages = languages
    self.region = region
  }

  /// Creates the locale of an environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and
  /// not empty, such as `en_GB.UTF-8`. `C` and `POSIX` specify none.
  ///
  /// - Parameter value: Returns the value of a variable, nil when it is not set.
  public init(environment value: (String) -> String?) {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let text = names.lazy.compactMap(value).first { !$0.isEmpty } ?? ""
    let tag = text.prefix { $0 != "." && $0 != "@" }.split(separator: "_").joined(separator: "-")
    guard !tag.isEmpty, tag != "C", tag != "POSIX" else {
      self.init()
      return
    }
    let parts = tag.split(separator: "-")
    self.init(languages: [tag], region: parts.count > 1 ? parts.last.map(String.init) : nil)
  }

  /// The locale of this process's environment.
  public static var system: UserLocale {
    UserLocale { name in
      // Safety: the text is copied at once, and a program must not change its environment while threads read it.
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
  }
}
