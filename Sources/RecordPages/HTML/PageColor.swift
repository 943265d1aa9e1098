/// The colours of pages and diagrams.
enum PageColor {
  /// The names of the custom properties, with their values in the light and the dark.
  private static let all: [(name: String, light: String, dark: String)] = [
    ("background", "#ffffff", "#16181c"),
    ("raised", "#f5f6f8", "#20232a"),
    ("line", "#d9dce1", "#3a3f49"),
    ("text", "#1c1e21", "#e6e8eb"),
    ("quiet", "#5b6270", "#a2a9b6"),
    ("edge", "#868d99", "#737b89"),
    ("accent", "#0b5cad", "#7ab7ff"),
    ("accent-background", "#e4eefa", "#1b2c42"),
    ("accent-text", "#ffffff", "#10131a"),
    ("added", "#136c2e", "#7bd492"),
    ("added-background", "#e2f4e6", "#16301d"),
    ("removed", "#a8201a", "#ff9b94"),
    ("removed-background", "#fbe6e4", "#3a1c1b"),
    ("changed", "#805400", "#eac06b"),
    ("changed-background", "#fbf0d6", "#342a13"),
  ]

  /// The style sheet that defines the properties for a page.
  static var definitions: String {
    func block(_ value: ((name: String, light: String, dark: String)) -> String) -> String {
      ":root {\n" + all.map { "  --\($0.name): \(value($0));\n" }.joined() + "}\n"
    }
    return block(\.light) + "@media (prefers-color-scheme: dark) {\n" + block(\.dark) + "}\n"
  }

  /// The style sheet of diagrams with values in place of the properties: not every program that
  /// shows SVG knows custom properties.
  static func applied(dark isDark: Bool) -> String {
    let mono = #"ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace"#
    return all.reduce(PageDocument.diagramStyle.replacing("var(--mono)", with: mono)) {
      $0.replacing("var(--\($1.name))", with: isDark ? $1.dark : $1.light)
    }
  }
}
