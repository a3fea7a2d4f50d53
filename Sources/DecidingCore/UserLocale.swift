internal import Glibc

/// Which languages a user prefers, and where the user is.
public struct UserLocale: Hashable, Sendable {
  /// Language tags such as `en-GB`, the preferred one first; none when unknown.
  public var languages: [String]
  /// The country, such as `IL`; nil when unknown. It is never read off a language tag.
  public var region: String?

  /// Makes a locale.
  public init(languages: [String] = [], region: String? = nil) {
    self.languages = languages
    self.region = region
  }

  /// The locale that an environment names: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and
  /// not empty, such as `en_GB.UTF-8`. `C` and `POSIX` name none.
  ///
  /// - Parameter value: Gives the value of a variable, nil when it is not set.
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
