import Foundation
import RecordModel

/// What a value looks like: everything by which one could be matched with what it stands for.
enum Looks {
  static func names(_ type: ValueType) -> [String] {
    switch type {
    case .string:
      [
        "text", "text in small letters", "length", "number of characters", "shape", "separators",
        "alphabet", "vowels", "lengths of words", "end", "scheme", "hexadecimal form",
      ]
    case .int64, .double: ["number", "number of digits", "sign and zero", "last digits"]
    case .timestamp: ["date", "time of day", "weekday", "midnight and milliseconds"]
    case .location: ["place", "latitude", "altitude", "members", "decimals"]
    default: ["bytes", "size", "beginning"]
    }
  }

  static func of(_ value: RecordValue) -> [Int] {
    switch value {
    case .string(let text): of(text)
    case .int64(let number):
      [
        number.hashValue, String(number).count, number.signum().hashValue, Int(number % 1000),
      ]
    case .double(let number):
      [
        number.hashValue, "\(number)".count, number.sign.hashValue ^ (number == 0 ? 1 : 0),
        "\(number)".suffix(3).hashValue,
      ]
    case .timestamp(let date): of(date)
    case .location(let place):
      [
        [place.latitude, place.longitude].hashValue, place.latitude.hashValue,
        place.altitude.hashValue, [place.altitude == nil, place.speed == nil].hashValue,
        ["\(place.latitude)".count, "\(place.longitude)".count].hashValue,
      ]
    case .bytes(let data): [data.hashValue, data.count, Data(data.prefix(4)).hashValue]
    default: []
    }
  }

  private static func of(_ date: Date) -> [Int] {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let day = (milliseconds / 86_400_000).rounded(.down)
    let time = milliseconds - day * 86_400_000
    return [
      milliseconds.hashValue, time.hashValue, day.truncatingRemainder(dividingBy: 7).hashValue,
      [time == 0, time.truncatingRemainder(dividingBy: 1000) == 0].hashValue,
    ]
  }

  private static func of(_ text: String) -> [Int] {
    var shape = Hasher()
    var separators = Hasher()
    var vowels = Hasher()
    var words = Hasher()
    var alphabet: Set<UInt32> = []
    var isHexadecimal = true
    var word = 0
    var count = 0
    for scalar in text.unicodeScalars {
      count += 1
      let kind: UInt32
      var isVowel = false
      switch scalar.value {
      case 0x30...0x39: kind = 0x30
      case 0x61, 0x65, 0x69, 0x6F, 0x75: (kind, isVowel) = (0x61, true)
      case 0x41, 0x45, 0x49, 0x4F, 0x55: (kind, isVowel) = (0x41, true)
      case 0x61...0x7A: kind = 0x61
      case 0x41...0x5A: kind = 0x41
      case ..<0x80: kind = scalar.value
      default: kind = scalar.value & ~0x3F
      }
      shape.combine(kind)
      alphabet.insert(kind)
      if kind != 0x30, kind != 0x61, kind != 0x41 { separators.combine(kind) }
      vowels.combine(isVowel)
      if !(kind == 0x30 || 0x61...0x66 ~= scalar.value) { isHexadecimal = false }
      if kind == 0x20 {
        words.combine(word)
        word = 0
      } else {
        word += 1
      }
    }
    words.combine(word)
    return [
      text.hashValue, text.lowercased().hashValue, text.utf8.count, count, shape.finalize(),
      separators.finalize(), alphabet.hashValue, vowels.finalize(), words.finalize(),
      text.split(separator: ".").last.hashValue,
      text.prefix { $0 != ":" }.count == text.count
        ? 0 : text.prefix { $0 != ":" }.hashValue,
      [isHexadecimal ? 1 : 0, count].hashValue,
    ]
  }

  /// The place of each value, from 0 to 1, if they are sorted.
  static func ranks(_ values: [RecordValue]) -> [Double] {
    let sorted: [Int]
    if case .string? = values.first {
      let texts = values.map { value -> String in
        if case .string(let text) = value { text } else { "" }
      }
      sorted = texts.indices.sorted { compareUTF8(texts[$0], texts[$1]) < 0 }
    } else {
      let numbers = values.map { value -> Double in
        switch value {
        case .int64(let number): Double(number)
        case .double(let number): number
        case .timestamp(let date): date.timeIntervalSince1970
        case .location(let place): place.latitude
        case .bytes(let data): Double(data.count)
        default: 0
        }
      }
      sorted = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    }
    var ranks = [Double](repeating: 0, count: values.count)
    for (rank, index) in sorted.enumerated() {
      ranks[index] = Double(rank) / Double(values.count)
    }
    return ranks
  }
}
