/// A whole document in HTML.
package struct PageDocument {
  /// The title.
  package var title: String
  /// The header above the content, such as links to other pages.
  package var header: HTML = .empty
  /// The content.
  package var content: HTML
  /// The path of a script; nil for none. A document without one is complete in itself.
  package var script: String?

  package init(title: String, header: HTML = .empty, content: HTML, script: String? = nil) {
    self.title = title
    self.header = header
    self.content = content
    self.script = script
  }

  /// The style sheet, which the document contains.
  package static let styleSheet = HTML(
    markup: PageColor.definitions + PageStyleSheet.text + diagramStyle)

  /// The style of diagrams.
  static let diagramStyle = DiagramStyleSheet.text

  /// The document.
  package var html: HTML { opening + closing }

  /// The document up to the end of its content, where more content may follow.
  package var opening: HTML {
    let script: HTML? = script.map { "<script src=\"\($0)\" defer></script>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(Self.styleSheet)</style>
      \(script)
      </head>
      <body>
      <a class="skip" href="#content">Skip to the content</a>
      <header>
      \(header)
      </header>
      <main id="content">
      \(content)

      """
  }

  /// The document after its content.
  package var closing: HTML {
    """
    </main>
    </body>
    </html>

    """
  }
}
