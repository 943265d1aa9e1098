import Testing

@testable import RecordPages

@Suite struct HTMLTests {
  @Test func textCannotBecomeMarkup() {
    let text = "<script>alert('x')</script> & \"more\""
    let html: HTML = "<td title=\"\(text)\">\(text)</td>"
    let escaped =
      "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;"
    #expect(html.text == "<td title=\"\(escaped)\">\(escaped)</td>")
  }

  @Test func markupInMarkupStaysAsItIs() {
    let cells: [HTML] = ["<td>1</td>", "<td>2</td>"]
    let row: HTML = "<tr>\(cells)\(Optional<HTML>.none)</tr>"
    #expect(row.text == "<tr><td>1</td>\n<td>2</td></tr>")
  }

  @Test func controlCharactersAreSpelledOut() {
    #expect(HTML(text: "a\u{0}b\u{202E}c\nd").text == "a\\u0000b\\u202ec\\nd")
    #expect(HTML(text: "a\nb\u{1B}", keepsLines: true).text == "a\nb\\u001b")
  }

  @Test func anAttributeWithoutValueIsThereIfItHolds() {
    let (yes, no): (HTML, HTML) = (
      "<input\("checked", if: true)>", "<input\("checked", if: false)>"
    )
    #expect(yes.text == "<input checked>")
    #expect(no.text == "<input>")
  }

  @Test func aDocumentContainsItsStyleAndNothingFromElsewhere() {
    let document = PageDocument(title: "A & B", content: "<p>Text</p>").html.text
    #expect(document.contains("<title>A &amp; B</title>"))
    #expect(document.contains("prefers-color-scheme: dark"))
    #expect(!document.contains("http"))
    #expect(!document.contains("<script"))
  }
}
