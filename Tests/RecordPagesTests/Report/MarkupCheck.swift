import Foundation
import TestSupport
import Testing

/// Checks markup with Python's parser, which is not ours: elements are closed in order, IDs are
/// unique, links within the page lead to an ID, and nothing is loaded from elsewhere.
enum MarkupCheck {
  private static let script = """
    import sys
    from html.parser import HTMLParser
    void = {"meta", "br", "img", "input", "link", "hr", "col", "wbr"}
    class Check(HTMLParser):
        def __init__(self):
            super().__init__(convert_charrefs=True)
            self.open, self.faults, self.ids, self.links = [], [], [], []
        def handle_starttag(self, tag, attrs):
            names = [name for name, _ in attrs]
            if len(names) != len(set(names)): self.faults.append("twice an attribute of " + tag)
            for name, value in attrs:
                if name == "id": self.ids.append(value)
                if name == "href": self.links.append(value)
                if name.startswith("on") or name == "src" and not value.startswith("data:"):
                    self.faults.append(name + " of " + tag)
            if tag in ("script", "iframe", "object", "link"): self.faults.append(tag)
            if tag not in void: self.open.append(tag)
        def handle_endtag(self, tag):
            if not self.open or self.open.pop() != tag:
                self.faults.append("end of %s at line %d" % (tag, self.getpos()[0]))
    check = Check()
    check.feed(sys.stdin.buffer.read().decode("utf-8"))
    check.close()
    check.faults += ["open: " + tag for tag in check.open]
    if len(check.ids) != len(set(check.ids)): check.faults.append("twice an ID")
    for link in check.links:
        if not link.startswith("#") or link[1:] not in check.ids: check.faults.append("link " + link)
    print("\\n".join(check.faults[:10]) or "well")
    """

  /// What is wrong; nothing where Python is not installed.
  static func faults(in html: String) async throws -> String? {
    let run = try await Command(
      "python3", "-c", script, input: Data(html.utf8), mergesErrors: true)
    guard run.code != 127 else {
      print("skipped: python3 is not installed")
      return nil
    }
    let output = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    return output == "well" ? nil : output
  }
}
