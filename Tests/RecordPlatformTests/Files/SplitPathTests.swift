import RecordPlatform
import Testing

@Suite("A path split at its last slash")
struct SplitPathTests {
  @Test(
    "has the directory and the name that its text has",
    arguments: [
      ("x", "", "x", ".", "y"), (" ", "", " ", ".", "y"), ("~", "", "~", ".", "y"),
      ("中", "", "中", ".", "y"), (".", "", ".", ".", "y"), ("", "", "", ".", "y"),
      ("/", "/", "", "/", "/y"), ("/x", "/", "x", "/", "/y"), ("a/", "a", "", "a", "a/y"),
      ("a/x.b", "a", "x.b", "a", "a/y"), ("./a//x", "./a/", "x", "./a/", "./a//y"),
      ("../x", "..", "x", "..", "../y"), ("a/\u{308}x", "a", "\u{308}x", "a", "a/y"),
    ])
  func parts(_ path: String, directory: String, name: String, openable: String, sibling: String) {
    let split = SplitPath(path)
    #expect(Array(split.directory.utf8) == Array(directory.utf8))
    #expect(Array(split.name.utf8) == Array(name.utf8))
    #expect(split.openableDirectory == openable)
    #expect(split.sibling("y") == sibling)
  }
}
