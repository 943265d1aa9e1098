/// Makes the texts people send each other: words by how often they are used, some beyond ASCII,
/// some that JSON must escape.
enum ChatText {
  /// The most used first.
  private static let words: [String] = """
    the I you to a and it is that in of we for on have be not me my so just but this with are at \
    what do can was if all up out like get know no go see now one yes time good okay will come back \
    there your she he how when about they think from here today really too tomorrow sorry thanks \
    great would maybe need want work home later right make got well still some could more very down \
    over day tonight did then why where who people going been had never always again much before \
    after only other into than them take love nice sure please something anything nothing wait call \
    send tell said look feel help find give meet meeting phone train car bus late early morning \
    evening week weekend dinner lunch coffee breakfast party birthday photo video link document \
    money house kids school office weather rain sunny cold warm tired happy sad funny crazy awesome \
    perfect exactly probably actually basically definitely absolutely yesterday Monday Tuesday \
    Wednesday Thursday Friday Saturday Sunday ich nicht und aber schön für über heute später müde \
    café naïve déjà voilà être très où señor mañana niño está corazón São João não amanhã \
    Zürich Malmö Łódź привет спасибо завтра хорошо 你好 谢谢 明天 ありがとう すみません 東京 안녕 \
    👍 😂 ❤️ 🎉 😭 🙏 🔥 😊 👩‍👩‍👧 🏳️‍🌈 … — „genau“ “nice” l’heure ½ €20 24°C #42 @anna 10:30 \
    https://example.com/a/b?c=1&d=2 C:\\Users\\me "quoted" <b>bold</b> {"json":true} \u{1} 
    """.split(separator: " ").map(String.init)

  /// The long tail of a language: thousands of words that are each used seldom.
  private static let seldomWords: [String] = {
    let syllables = """
      ka lo mi ster ben tra ing ver an do fi ght sho per con ed ion ar el ti ma ny ber son ley ous \
      pre com ter men al is un re at en
      """.split(separator: " ").map(String.init)
    var random = SplitMix64(seed: 0x7A11)
    return (0..<4000).map { _ in
      (0..<(2 + random.below(3))).map { _ in syllables[random.below(syllables.count)] }.joined()
    }
  }()

  private static func word(_ random: inout SplitMix64) -> String {
    if random.happens(18) { return seldomWords[random.below(seldomWords.count)] }
    let place = random.unit()
    return words[Int(place * place * place * Double(words.count))]
  }

  /// A text of a few words, seldom many.
  static func sentence(_ random: inout SplitMix64, atMost most: Int = 44) -> String {
    let length = random.unit()
    var text = ""
    let count = 2 + Int(length * length * Double(most - 2))
    for index in 0..<count {
      if index > 0 { text += random.happens(2) ? "\n" : " " }
      text += word(&random)
      if random.happens(4) { text += [",", ".", "!", "?", " \"", "\t"][random.below(6)] }
    }
    return text
  }

  /// What people answer with.
  static let emoji = ["👍", "❤️", "😂", "😮", "😢", "🙏", "🎉", "🔥", "+1", "lol"]
}
