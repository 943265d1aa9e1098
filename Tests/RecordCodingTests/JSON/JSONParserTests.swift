import RecordModel
import Testing

@testable import RecordCoding

@Suite struct JSONParserTests {
  @Test func `white space goes, everything else stays`() throws {
    let text =
      " { \"b\" : [ 1 , -0 , 1.50 , 1E+2 , true , false , null ] ,\n\"a\":{\"x\":\"\"} }\r\n"
    let value = try JSONParser.parse(text)
    #expect(
      value.compactText == #"{"b":[1,-0,1.50,1E+2,true,false,null],"a":{"x":""}}"#)
  }

  @Test func `each value knows its byte offset`() throws {
    let value = try JSONParser.parse("{\"é\": [10, \"x\"]}")
    #expect(value.offset == 0)
    #expect(value["é"]?.offset == 7)
    #expect(value["é"]?.elements?.map(\.offset) == [8, 12])
  }

  @Test func `escapes are resolved and rewritten minimally`() throws {
    let value = try JSONParser.parse(
      #""\"\\\/\b\f\n\r\t\u0000\u001F\u0020\u00e9\u20AC\uD83D\ude00""#)
    #expect(value.string == "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F} é€😀")
    #expect(value.compactText == #""\"\\/\b\f\n\r\t\u0000\u001f é€😀""#)
  }

  @Test(arguments: [
    ("", 0, "the end of the text"),
    ("  ", 2, "the end of the text"),
    ("{", 1, "the end of the text"),
    ("{}}", 2, "'}'"),
    ("{} x", 3, "a letter"),
    ("[1,]", 3, "']'"),
    ("[,1]", 1, "','"),
    ("[1 2]", 3, "a digit"),
    ("{\"a\" 1}", 5, "a digit"),
    ("{\"a\":1,}", 7, "'}'"),
    ("{a:1}", 1, "a letter"),
    ("{'a':1}", 1, "'''"),
    ("01", 1, "a leading zero"),
    ("-", 1, "the end of the text"),
    ("+1", 0, "'+'"),
    (".5", 0, "'.'"),
    ("1.", 2, "the end of the text"),
    ("1.e5", 2, "a letter"),
    ("1e", 2, "the end of the text"),
    ("1e+", 3, "the end of the text"),
    ("0x10", 1, "a letter"),
    ("NaN", 0, "a letter"),
    ("Infinity", 0, "a letter"),
    ("tru", 3, "the end of the text"),
    ("trUe", 2, "a letter"),
    ("nul]", 3, "']'"),
    ("\"abc", 4, "the end of the text"),
    ("\"a\nb\"", 2, "a control character (0x0a) in a string"),
    ("\"\\x\"", 2, "a letter"),
    ("\"\\u12g4\"", 5, "a letter"),
    ("\"\\ud800\"", 1, "the escape of a lone surrogate"),
    ("\"\\ud800\\n\"", 1, "the escape of a lone surrogate"),
    ("\"\\ud800\\ud800\"", 1, "the escape of a lone surrogate"),
    ("\"\\udc00\"", 1, "the escape of a lone surrogate"),
    ("\u{FEFF}{}", 0, "a byte order mark"),
    ("{\"a\":1,\"\\u0061\":2}", 7, "a duplicate name"),
    ("/* c */ 1", 0, "'/'"),
  ])
  func `what is no JSON is refused where it ends to be`(
    _ text: String, offset: Int, found: String
  ) {
    let error = #expect(throws: RecordCodingError.self) { try JSONParser.parse(text) }
    #expect(error?.offset == offset)
    #expect(error?.found == found)
  }

  @Test func `errors name the way to the place`() {
    let error = #expect(throws: RecordCodingError.self) {
      try JSONParser.parse(#"{"records":[{},{"fields":{"a b":{"value":01}}}]}"#)
    }
    #expect(error?.path == #"records[1].fields["a b"].value"#)
    #expect(
      error?.description
        == #"byte 42, at records[1].fields["a b"].value: found a leading zero, "#
        + "expected a number without leading zeros")
  }

  @Test func `bytes that are not UTF-8 are refused with their offset`() {
    let broken: [([UInt8], Int)] = [
      ([0x22, 0x61, 0xFF, 0x22], 2),  // never a byte of UTF-8
      ([0x22, 0xC3, 0x22], 1),  // a character cut short
      ([0x22, 0xC0, 0x80, 0x22], 1),  // an overlong zero
      ([0x22, 0x61, 0xED, 0xA0, 0x80, 0x22], 2),  // a surrogate
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),  // beyond U+10FFFF
      ([0x22, 0x5C, 0x6E, 0xC3, 0xA9, 0xE2, 0x82, 0x22], 5),  // after an escape
    ]
    for (bytes, offset) in broken {
      let error = #expect(throws: RecordCodingError.self) {
        try bytes.withUnsafeBytes { try JSONParser.parse($0) }
      }
      #expect(error?.offset == offset)
      #expect(error?.found == "bytes that are not UTF-8")
    }
  }

  @Test func `nesting is bounded, and a million levels do no harm`() throws {
    let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(try JSONParser.parse(deepest).compactText == deepest)
    for opening in ["[", "{\"a\":"] {
      let error = #expect(throws: RecordCodingError.self) {
        try JSONParser.parse(String(repeating: opening, count: 1_000_000))
      }
      #expect(error?.found == "JSON nested more than 128 levels deep")
      #expect(error?.offset == 128 * opening.utf8.count)
    }
  }

  @Test func `a tree is bounded in its number of values`() {
    var limits = JSONParser.Limits()
    limits.nodes = 10
    let text = Array("[1,2,3,4,5,6,7,8,9,10]".utf8)
    let error = #expect(throws: RecordCodingError.self) {
      try text.withUnsafeBytes { try JSONParser.parse($0, limits: limits) }
    }
    #expect(error?.offset == 19)
    #expect(error?.found == "more than 10 values")
  }

  @Test func `names are told apart scalar by scalar, in large objects too`() throws {
    let twoForms = "{\"\u{E9}\":1,\"e\u{301}\":2}"
    #expect(try JSONParser.parse(twoForms).members?.count == 2)
    let many = (0..<100).map { "\"n\($0)\":0" }.joined(separator: ",")
    #expect(try JSONParser.parse("{\(many)}").members?.count == 100)
    let error = #expect(throws: RecordCodingError.self) {
      try JSONParser.parse("{\(many),\"n50\":0}")
    }
    #expect(error?.path == "n50")
  }
}
