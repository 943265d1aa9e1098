import Foundation
import RecordBundle
import RecordModel
import Testing

extension Attack {
  /// Attacks on names, tags and dates.
  static func systemFindings(
    _ outcome: AttackedBundle, _ population: Population
  ) -> [Finding] {
    let names = Known(population) { .string($0.recordName) }
    let users = Known(population) { .string($0.userName) }
    var findings = self.findings(
      outcome.people.map { .string($0.recordID.recordName) }, names, "record names", isFew: false)
    findings += self.findings(
      outcome.people.map { $0.systemFields.created?.userRecordName.map { .string($0) } }, users,
      "user names", isFew: false)
    func exact(_ name: String, _ isHit: (Int) -> Bool) {
      findings.append(
        Finding(
          place: "system", attack: name,
          found: Double(population.people.indices.count { isHit($0) }),
          chance: 0, limit: 2))
    }
    exact("change tags") { serial in
      outcome.people[serial].recordChangeTag
        == String(1000 + serial, radix: 36)
    }
    exact("interval of created and modified") { serial in
      let (record, person) = (outcome.people[serial], population.people[serial])
      guard let created = record.creationDate, let modified = record.modificationDate else {
        return false
      }
      return isSame(
        modified.timeIntervalSince(created), person.posts[1].timeIntervalSince(person.posts[0]))
    }
    exact("intervals of posts") { serial in
      let dates = outcome.posts[serial].compactMap { $0["sentAt"] as Date? }.sorted()
      let known = population.people[serial].posts
      return zip(dates.dropFirst(), dates).map { $0.timeIntervalSince($1) }.elementsEqual(
        zip(known.dropFirst(), known).map { $0.timeIntervalSince($1) }, by: isSame)
    }
    exact("time of day of a post") { serial in
      let person = population.people[serial]
      return outcome.posts[serial].contains { post in
        guard let date = post["sentAt"] as Date? else { return false }
        return person.posts.contains {
          isSame(
            date.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400),
            $0.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400))
        }
      }
    }
    let sentinels = [Date(timeIntervalSince1970: 0), .distantPast, .distantFuture]
    exact("shift of a sentinel") { serial in
      // A sentinel that stays gives no shift.
      let shifts = outcome.posts[serial].compactMap { $0["never"] as Date? }.flatMap { date in
        sentinels.map { date.timeIntervalSince($0) }.filter { abs($0) > 1e-4 }
      }
      let dates = outcome.posts[serial].compactMap { $0["sentAt"] as Date? }
      return shifts.contains { shift in
        dates.contains { date in
          population.people[serial].posts.contains { isSame(date.timeIntervalSince($0), shift) }
        }
      }
    }
    exact("shift of the place 0, 0") { serial in
      let values = outcome.people[serial].fields.compactMap { field -> Location? in
        guard case .location(let place) = field.value,
          !AttackTests.priced.contains(where: { field.name.hasSuffix("_\($0)") })
        else { return nil }
        return place
      }
      let person = population.people[serial].place
      return outcome.posts[serial].compactMap { $0["nowhere"] as Location? }.contains { zero in
        values.contains {
          abs($0.latitude - zero.latitude - person.latitude) < 1e-5
            && abs($0.longitude - zero.longitude - person.longitude) < 1e-5
        }
      }
    }
    return findings
  }

  private static func isSame(_ one: TimeInterval, _ other: TimeInterval) -> Bool {
    abs(one - other) < 0.0005
  }
}

/// The records of an anonymised population, in the order of its members.
struct AttackedBundle {
  private(set) var people: [ResultRecord] = []
  private(set) var posts: [[ResultRecord]] = []

  init(_ bundle: BundleReader) throws {
    var people: [Int64: ResultRecord] = [:]
    var posts: [Int64: [ResultRecord]] = [:]
    try bundle.forEachRecord { record, _ in
      let serial = try #require(record["serial"] as Int64?)
      if record.recordType == "Person" {
        people[serial] = record
      } else {
        posts[serial, default: []].append(record)
      }
    }
    for serial in 0..<Int64(people.count) {
      self.people.append(try #require(people[serial]))
      self.posts.append(posts[serial] ?? [])
    }
  }

  func values(of field: String) -> [RecordValue?] { people.map { $0.field(named: field)?.value } }
}
