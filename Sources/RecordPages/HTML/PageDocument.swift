/// A whole document in HTML.
package struct PageDocument {
  /// The title.
  package var title: String
  /// The header above the content, such as links to other pages.
  package var header: HTML = .empty
  /// Links to other pages beside the content, which make the document a page of the console; empty
  /// for a document of its own.
  package var navigation: HTML = .empty
  /// A style sheet of this kind of document, after that of all.
  package var style: HTML = .empty
  /// The content.
  package var content: HTML
  /// The path of a script; nil for none. A document without one is complete in itself.
  package var script: String?

  package init(
    title: String, header: HTML = .empty, navigation: HTML = .empty, style: HTML = .empty,
    content: HTML, script: String? = nil
  ) {
    self.title = title
    self.header = header
    self.navigation = navigation
    self.style = style
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
    let cssClass: HTML? = navigation.isEmpty ? nil : " class=\"console\""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(Self.styleSheet)\(style)</style>
      \(script)
      </head>
      <body\(cssClass)>
      <a class="skip" href="#content">Skip to the content</a>
      <header>
      \(header)
      </header>
      \(navigation)
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
