import Foundation
import RecordPack
import Synchronization

/// Numbers that are the same in every run and on every machine (splitmix64).
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number from 0 to `bound` - 1.
  mutating func below(_ bound: Int) -> Int { Int(next() >> 1) % bound }

  /// A random UUID (version 4), spelled as `UUID().uuidString` spells it.
  mutating func uuid() -> String {
    let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = [high, low].map { word in
      let text = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var groups: [Substring] = []
    var rest = digits[...]
    for length in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return groups.joined(separator: "-")
  }
}

/// The time of the story: it stands still until it is moved on.
final class StoryClock: Sendable {
  /// The first of March 2024, 9:00 UTC.
  private let time = Mutex(Date(timeIntervalSince1970: 1_709_283_600))

  var now: Date { time.withLock { $0 } }

  func advance(minutes: Double) {
    time.withLock { $0.addTimeInterval(60 * minutes) }
  }
}

/// What people say.
enum Phrases {
  private static let openings = [
    "Are you coming?", "I found the map!", "Has anybody seen my blue scarf?", "Good morning ☀️",
    "雨が降りそうです。", "На добраніч!", "See you at the \"old\" bridge", "Two tickets left",
    "C:\\maps\\north.gpx is the right one", "Zażółć gęślą jaźń",
  ]
  private static let endings = [
    "", " Tell me when you are there.", " 🙂", " I'll bring tea.", "\nAnd bread.", " Around seven?",
  ]

  static func next(_ random: inout SeededGenerator) -> String {
    openings[random.below(openings.count)] + endings[random.below(endings.count)]
  }
}

/// Where people meet.
enum Places {
  static func next(_ random: inout SeededGenerator, at date: Date) -> Location {
    Location(
      latitude: 60.39 + Double(random.below(1000)) / 10_000,
      longitude: 5.32 + Double(random.below(1000)) / 10_000, altitude: 12.5,
      horizontalAccuracy: 5, verticalAccuracy: -1, course: -1, speed: 0, timestamp: date)
  }
}
