/// The style sheet or the script of a page, which are constants of this module: the files in `Resources`.
///
/// Every pair of colours of text and ground has a contrast of at least 4.5 to 1. The script sorts and filters tables,
/// switches the theme, opens and closes chapters, and shows the values of marks in plots; without it the page is
/// complete, and its controls stay hidden.
enum PageResource {
  case style, script

  /// The text, without the newline that ends its file.
  var text: String {
    let bytes =
      switch self {
      case .style: PackageResources.page_css
      case .script: PackageResources.page_js
      }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// The content security policy: nothing is loaded, from anywhere, and no script runs but this one, which the policy
  /// knows by its digest.
  static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src '\(digest)'; img-src data:; "
    + "base-uri 'none'; form-action 'none'"

  /// The SHA-256 digest of the script in base 64; a test compares it.
  private static let digest = "sha256-bF7O25x9NFAdtKAPKCYCZGaNUDvS0dj2GqXikxfyKAI="
}
