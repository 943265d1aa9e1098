import Testing

@testable import RecordSchema

@Test(
  "Words of a command are in quotes where a shell needs them",
  arguments: [
    ("a.sqlite", "a.sqlite"), ("main:App/s.ckdb", "main:App/s.ckdb"), ("", "''"),
    ("My Data.sqlite", "'My Data.sqlite'"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"),
    ("~/a", "'~/a'"), ("é", "'é'"), ("a;b", "'a;b'"), ("*", "'*'"),
  ])
func shellWords(text: String, word: String) {
  #expect(text.shellWord == word)
}
