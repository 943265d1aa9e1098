import Testing

@testable import AppModel

@Suite("Tokens of Swift source code")
struct SwiftLexerTests {
  private func strings(_ source: String) -> [String?] {
    SwiftLexer.read(Array(source.utf8)).tokens.filter { $0.kind == .string }
      .map { $0.isPlain ? $0.text : nil }
  }

  private func kinds(_ source: String) -> [SwiftToken.Kind] {
    SwiftLexer.read(Array(source.utf8)).tokens.map(\.kind)
  }

  @Test("escapes have their values")
  func escapes() {
    #expect(strings(#""a\n\t\\\"\'\u{1F600}\0""#) == ["a\n\t\\\"'\u{1F600}\0"])
    #expect(strings(##"#"a\n\#n"#"##) == ["a\\n\n"])
    #expect(strings(#""\q" "\u{110000}" "\u{}""#) == [nil, nil, nil])
  }

  @Test("raw strings end at their own delimiter")
  func rawStrings() {
    #expect(strings(##"#"a"b"# + #"""#"##) == ["a\"b", "\""])
    #expect(strings(###"##"a"#b"##"###) == ["a\"#b"])
    #expect(strings("#\"\"\"\n  a\"\"\"b\n  \"\"\"#") == ["a\"\"\"b"])
  }

  @Test("strings of several lines lose their indentation")
  func multilineStrings() {
    #expect(strings("\"\"\"\n    a\n      b\n\n    c\n    \"\"\"") == ["a\n  b\n\nc"])
    #expect(strings("\"\"\"\r\n  a\r\n  \"\"\"") == ["a"])
    #expect(strings("\"\"\"\n  a \\\n  b\n  \"\"\"") == ["a b"])
    #expect(strings("\"\"\"\n a\n  \"\"\"") == [nil])
  }

  @Test("the strings in interpolations are read, in any depth")
  func interpolations() {
    #expect(strings(#""a\(f("b", "\("c")"))d" + "e""#) == [nil, "b", nil, "c", "e"])
    #expect(strings(##"#"a\("b")\#("c")"#"##) == [nil, "c"])
    #expect(strings("\"\"\"\n\\(x[\"a\"])\n\"\"\"") == [nil, "a"])
    #expect(strings(#""\(a ? "(" : ")")" + "b""#) == [nil, "(", ")", "b"])
  }

  @Test("comments nest and hide what is in them")
  func comments() {
    #expect(strings("/* a /* \"b\" */ \"c\" */ \"d\" // \"e\"\n\"f\"") == ["d", "f"])
    #expect(strings("\"// no comment\" /* open \"a\"") == ["// no comment"])
    #expect(SwiftLexer.read(Array("a // b\n/* c */".utf8)).comments.count == 2)
  }

  @Test(
    "code in #if false is not read",
    arguments: [
      ("#if false\n\"a\"\n#endif\n\"b\"", ["b"]),
      ("#if false\n\"a\"\n#else\n\"b\"\n#endif", ["b"]),
      ("#if false\n\"a\"\n#elseif D\n\"b\"\n#else\n\"c\"\n#endif\n\"d\"", ["b", "c", "d"]),
      ("#if false\n#if A\n\"a\"\n#else\n\"b\"\n#endif\n\"c\"\n#endif\n\"d\"", ["d"]),
      ("#if A\n\"a\"\n#if false\n\"b\"\n#endif\n#else\n\"c\"\n#endif", ["a", "c"]),
      ("#if false || A\n\"a\"\n#endif", ["a"]), ("#if falsehood\n\"a\"\n#endif", ["a"]),
      ("#if false\n\"a\"", []), ("#endif\n#if false\n\"a\"\n#endif\n\"b\"", ["b"]),
    ])
  func inactiveCode(_ source: String, _ expected: [String]) {
    #expect(strings(source) == expected)
  }

  @Test("an unclosed string ends with its line")
  func unclosed() {
    #expect(strings("\"a\n\"b\"") == [nil, "b"])
    #expect(strings("\"a\\") == [nil])
    #expect(strings("\"\"\"\na") == [nil])
    #expect(strings("\"a\\(b") == [nil])
  }

  @Test("regex literals hide quotation marks, and divisions do not")
  func regexes() {
    #expect(strings(#"let a = /"b"/; "c""#) == ["c"])
    #expect(strings(##"f(#/a"b/#, "c")"##) == ["c"])
    #expect(strings("x = #/\n \" # a comment\n/#\n\"a\"") == ["a"])
    #expect(strings(#"a / b["c"] / d"#) == ["c"])
    #expect(strings(#"(a)/b["c"]/d"#) == ["c"])
    #expect(strings(#"x.reduce(1, /) + "c" + f(/)"#) == ["c"])
    #expect(kinds("return /a b/") == [.name, .regex])
  }

  @Test("both branches of #if are read")
  func conditions() {
    #expect(strings("#if DEBUG\nf(\"a\")\n#else\nf(\"b\")\n#endif") == ["a", "b"])
    #expect(kinds("#selector(a)") == [.directive, .open, .name, .close])
  }

  @Test("postfix marks, numbers and names in backticks are tokens of their own")
  func symbols() {
    let tokens = SwiftLexer.read(Array("`default`?[1.5e-3].0x1p-2 a??b".utf8)).tokens
    #expect(
      tokens.map(\.kind) == [
        .name, .symbol, .open, .number, .close, .symbol, .number, .name, .symbol, .name,
      ])
    #expect(tokens[0].text == "default" && tokens[8].text == "??")
  }

  @Test("a byte order mark and a line with the interpreter are no tokens")
  func beginnings() {
    #expect(kinds("#!/usr/bin/env swift \"\na") == [.name])
    #expect(SwiftLexer.read([0xEF, 0xBB, 0xBF] + Array("a".utf8)).tokens.map(\.offset) == [3])
  }
}
