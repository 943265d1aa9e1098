import TestSupport
import Testing

@testable import RecordPages

@Suite("The difference of two texts")
struct TextDifferenceTests {
  private func marked(_ parts: [TextDifference.Part]) -> String {
    parts.map { $0.isCommon ? $0.text : "[\($0.text)]" }.joined()
  }

  @Test(
    "is by words, with the spaces between them",
    arguments: [
      (
        "the lazy dog sleeps", "the quick cat sleeps", "the [lazy dog] sleeps",
        "the [quick cat] sleeps"
      ),
      ("one two three", "one three", "one [two ]three", "one three"),
      ("same", "same", "same", "same"),
      ("abc", "xyz", "[abc]", "[xyz]"),
      ("", "new", "", "[new]"),
      ("写真を見る人", "写真を撮る人", "写真を[見]る人", "写真を[撮]る人"),
      ("a family 👨‍👩‍👧 here", "a family 👨‍👩‍👦 here", "a family [👨‍👩‍👧] here", "a family [👨‍👩‍👦] here"),
    ])
  func words(before: String, after: String, markedBefore: String, markedAfter: String) {
    let difference = TextDifference(from: before, to: after)
    #expect(marked(difference.before) == markedBefore)
    #expect(marked(difference.after) == markedAfter)
  }

  @Test("keeps both texts, and what is common is the same in both, for any texts")
  func properties() {
    for seed in SeededGenerator.seeds(300) {
      var random = SeededGenerator(seed)
      func text() -> String {
        (0..<random.below(30)).map { _ in random.pick(["a", "b", "c d", " ", "é", "写", ".", "\n"]) }
          .joined()
      }
      let (before, after) = (text(), text())
      let difference = TextDifference(from: before, to: after)
      let joined = [difference.before, difference.after].map { $0.map(\.text).joined() }
      #expect(joined == [before, after], "seed \(seed)")
      let common = [difference.before, difference.after].map { parts in
        parts.filter(\.isCommon).map(\.text).joined().filter { !$0.isWhitespace }
      }
      #expect(common[0] == common[1], "seed \(seed)")
    }
  }

  @Test("of long texts without anything in common does not take long")
  func long() {
    let (a, b) = ((0..<20_000).map { "a\($0) " }.joined(), (0..<20_000).map { "b\($0) " }.joined())
    let clock = ContinuousClock()
    let start = clock.now
    let difference = TextDifference(from: a, to: b)
    #expect(difference.before.count == 1)
    #expect(clock.now - start < .seconds(20))
  }
}
