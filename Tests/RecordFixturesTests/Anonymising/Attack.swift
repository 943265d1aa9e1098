import Foundation
import RecordModel

/// Attacks on an anonymised population by somebody who knows everything of the candidates, but not the key.
enum Attack {
  /// What an attack found.
  struct Finding {
    var place: String
    var attack: String
    var found: Double
    var chance: Double
    /// More than this is no chance.
    var limit: Double

    var line: String {
      "\(place)  \(attack): \(found.formatted(places: 2)), by chance "
        + "\(chance.formatted(places: 2))"
    }
  }

  /// What the attacker knows of an attribute: the value of each candidate, and what it looks like.
  final class Known {
    let type: ValueType
    let values: [RecordValue]
    let looks: [[Int]]
    /// The place of each person, from 0 to 1, if all candidates are sorted by value.
    let ranks: [Double]
    private let others: [[Int: Int]]
    private let weight: Double

    init(_ population: Population, _ value: (Population.Person) -> RecordValue) {
      values = population.people.map(value)
      weight = population.weight
      type = values[0].type ?? .string
      looks = values.map(Looks.of)
      let all = population.others.map(value)
      var counts = [[Int: Int]](repeating: [:], count: looks[0].count)
      for value in all {
        for (kind, look) in Looks.of(value).enumerated() { counts[kind][look, default: 0] += 1 }
      }
      others = counts
      ranks = Array(Looks.ranks(values + all).prefix(values.count))
    }

    /// The number of candidates who look so, one of whom is the person.
    func count(_ kind: Int, _ look: Int) -> Double { 1 + weight * Double(others[kind][look] ?? 0) }
  }

  /// Guesses who is who by the looks and the order of the values of a field.
  static func findings(
    _ found: [RecordValue?], _ known: Known, _ place: String, isFew: Bool
  ) -> [Finding] {
    let looks = found.map { $0.map(Looks.of) }
    var findings: [Finding] = []
    let chance = Double(known.values.count) / Double(Population.candidateCount)
    for (kind, name) in Looks.names(known.type).enumerated() {
      if isFew {
        findings.append(read(looks.map { $0?[kind] }, known, place, name))
        continue
      }
      var hits = 0.0
      for (serial, looks) in looks.enumerated() {
        guard let look = looks?[kind], known.looks[serial][kind] == look else { continue }
        hits += 1 / known.count(kind, look)
      }
      findings.append(Finding(place: place, attack: name, found: hits, chance: chance, limit: 2))
    }
    guard !isFew else { return findings }
    let ranks = Looks.ranks(found.map { $0 ?? .emptyList })
    let hits = ranks.indices.count { abs(ranks[$0] - known.ranks[$0]) < 0.005 }
    findings.append(
      Finding(place: place, attack: "order", found: Double(hits), chance: 10, limit: 28))
    return findings
  }

  /// Reads the values of half of the persons, after the attacker has learnt those of the other half.
  private static func read(
    _ looks: [Int?], _ known: Known, _ place: String, _ name: String
  ) -> Finding {
    let truth = known.values
    var learnt: [Int: [RecordValue: Int]] = [:]
    for serial in truth.indices where serial % 2 == 0 {
      learnt[looks[serial] ?? 0, default: [:]][truth[serial], default: 0] += 1
    }
    func most(_ counts: [RecordValue: Int]) -> RecordValue? {
      counts.max { $0.value < $1.value }?.key
    }
    let total = learnt.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    let usual = most(total)
    var right = 0
    var byChance = 0
    for serial in truth.indices where serial % 2 == 1 {
      let guess = learnt[looks[serial] ?? 0].flatMap(most) ?? usual
      if guess == truth[serial] { right += 1 }
      if usual == truth[serial] { byChance += 1 }
    }
    // Twice, as of all persons; four standard deviations of such a count are 130.
    return Finding(
      place: place, attack: "reading by \(name)", found: Double(2 * right),
      chance: Double(2 * byChance), limit: Double(2 * byChance) + 130)
  }
}

extension Double {
  fileprivate func formatted(places: Int) -> String { String(format: "%.\(places)f", self) }
}
