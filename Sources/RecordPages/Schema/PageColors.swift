/// The values of the page's custom properties, for files of their own: not every program that shows
/// SVG knows custom properties.
enum PageColors {
  /// The values for a light and for a dark page, by name.
  static let light = values(0, of: PageDocument.pageStyle)
  static let dark = light.merging(values(1, of: PageDocument.pageStyle)) { $1 }

  /// The style with the properties replaced by their values.
  static func applied(_ values: [Substring: Substring], to style: String) -> String {
    var result = ""
    var rest = style[...]
    while let start = rest.firstRange(of: "var(--") {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      let name = rest.prefix { $0 != ")" }
      result += values[name] ?? "currentColor"
      rest = rest.dropFirst(name.count + 1)
    }
    return result + rest
  }

  /// The values in a style sheet's block `:root` of a number.
  private static func values(_ number: Int, of style: String) -> [Substring: Substring] {
    let blocks = style.split(separator: ":root {", omittingEmptySubsequences: false).dropFirst()
    guard number < blocks.count else { return [:] }
    let block = blocks[blocks.startIndex + number].prefix { $0 != "}" }
    var values: [Substring: Substring] = [:]
    for line in block.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("--"), let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }.prefix { $0 != ";" }
      values[line.dropFirst(2)[..<colon]] = value
    }
    return values
  }
}
