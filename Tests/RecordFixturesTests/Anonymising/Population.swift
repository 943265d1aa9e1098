import Foundation
import RecordModel
import RecordPlatform
import RecordStore
import TestSupport

/// Invented persons with everything that is known about them, and a container of some of them.
struct Population {
  struct Person {
    var given: String
    var family: String
    var email: String
    var phone: String
    var city: String
    var gender: String
    var diagnosis: String
    var home: String
    var note: String
    var birthday: Date
    var salary: Int64
    var height: Double
    var place: Location
    var photo: Data
    var letter: Data
    /// A record name, in one of the forms that apps make from what they know.
    var recordName: String
    var userName: String
    /// The moments of the person's posts in the public database, to the millisecond.
    var posts: [Date]

    var fullName: String { "\(given) \(family)" }
  }

  /// The persons who are in the data.
  private(set) var people: [Person] = []
  /// A part of the others who could be in it.
  private(set) var others: [Person] = []
  /// The number of candidates that each of ``others`` stands for.
  let weight: Double
  /// The number of all who could be in the data.
  static let candidateCount = 50_000

  private static let syllables = [
    "an", "ber", "cla", "da", "el", "fri", "gus", "ha", "i", "jo", "ka", "lu", "mar", "ni", "ol",
    "pe", "ri", "so", "ta", "ul", "vi", "wen", "xa", "ys", "zoe", "ø", "ß", "ä",
  ]
  private static let cities = [
    "Berlin", "Rome", "New York", "Ulm", "Ho Chi Minh City", "Łódź", "São Paulo", "Oslo",
  ]
  private static let diagnoses = [
    "none", "asthma", "diabetes mellitus type 2", "migraine", "HIV", "depression",
  ]
  private static let schemes = ["https", "http", "mastodon", "ftp"]

  private static func word(_ random: inout SeededGenerator, _ syllables: Int) -> String {
    (0..<syllables).map { _ in random.pick(Self.syllables) }.joined()
  }

  private static func hexadecimal(_ random: inout SeededGenerator, _ count: Int) -> String {
    String((0..<count).map { _ in random.pick(Array("0123456789abcdef")) })
  }

  init(seed: UInt64, members: Int = 1000, others count: Int = 2000) {
    var random = SeededGenerator(seed)
    people = (0..<members).map { Self.person($0, &random) }
    others = (0..<count).map { Self.person(members + $0, &random) }
    weight = Double(Self.candidateCount - members) / Double(count)
  }

  private static func person(_ number: Int, _ random: inout SeededGenerator) -> Person {
    let given = word(&random, 1 + random.below(3)).capitalized
    let family = word(&random, 1 + random.below(4)).capitalized
    let dot = random.pick([".", "_", "-", ""])
    let email =
      "\(given.lowercased())\(dot)\(family.lowercased())\(random.below(3) == 0 ? "\(random.below(2000))" : "")"
      + "@\(word(&random, 2)).\(random.pick(["com", "org", "co.uk", "app"]))"
    let digits = 6 + random.below(6)
    let phone =
      "+\(random.pick(["1", "44", "49", "358"])) "
      + (0..<digits).map { _ in "\(random.below(10))" }.joined()
    let firstPost = 1_600_000_000_000 + random.below(100_000_000_000)
    var moment = firstPost
    let posts = (0..<4).map { _ in
      moment += 1 + random.below(900_000_000)
      return Date(timeIntervalSince1970: Double(moment) / 1000)
    }
    let size = 200 + random.below(60_000)
    var photo = Data(
      random.chance(2) ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] : [0xFF, 0xD8, 0xFF])
    photo.append(Data(repeating: UInt8(truncatingIfNeeded: number), count: size))
    var location = Location(
      latitude: Double(random.below(170_000_000)) / 1e6 - 85,
      longitude: Double(random.below(360_000_000)) / 1e6 - 180)
    location.altitude = random.chance(2) ? nil : Double(random.below(30_000)) / 10
    location.speed = random.chance(5) ? Double(random.below(300)) / 10 : nil
    return Person(
      given: given, family: family, email: email, phone: phone, city: random.pick(cities),
      gender: random.pick(["female", "male", "female", "male", "diverse"]),
      diagnosis: random.pick(diagnoses),
      home: "\(random.pick(schemes))://\(word(&random, 3)).example.net:\(random.below(9000))/"
        + "\(word(&random, 2))/\(random.below(100_000))?q=\(word(&random, 1))",
      note: (0..<(1 + random.below(12))).map { _ in word(&random, 1 + random.below(4)) }
        .joined(separator: " ") + random.pick([".", "!", " ⓐ", " 🅰", "…"]),
      birthday: Date(timeIntervalSince1970: Double(random.below(20_000) - 5_000) * 86_400),
      salary: Int64(random.below(10) == 0 ? 0 : 100 + random.below(9_000_000)),
      height: Double(random.below(1_000_000)) / 10_000, place: location, photo: photo,
      letter: Data("{\"name\":\"\(given)\",\"text\":\"\(word(&random, random.below(40)))\"}".utf8),
      recordName: recordName(number, email, &random), userName: "_" + hexadecimal(&random, 32),
      posts: posts)
  }

  private static func recordName(
    _ number: Int, _ email: String, _ random: inout SeededGenerator
  ) -> String {
    switch number % 5 {
    case 0: Array(email.utf8).withUnsafeBytes { SHA256Digest(of: $0) }.description
    case 1: hexadecimal(&random, 24)
    case 2:
      String(
        (0..<20).map { _ in random.pick(Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789")) })
    case 3: email
    default: "user-\(number)-\(hexadecimal(&random, 8).uppercased())"
    }
  }

  // MARK: The container

  static let zoneID = ZoneID(zoneName: "People")

  /// A container with a record of each person, and with posts in the public database.
  ///
  /// Each record keeps its number as `serial`, which an attacker does not use.
  func write(to path: String, _ fields: (Person) -> [Field]) throws -> ContainerStore {
    try ContainerStore.build(path: path, info: ContainerInfo(identifier: "iCloud.people")) {
      writer in
      try writer.add(RecordZone(zoneID: Self.zoneID), to: .private)
      try writer.add(RecordZone(zoneID: .default), to: .public)
      for (serial, person) in people.enumerated() {
        var system = SystemFields(
          recordID: RecordID(recordName: person.recordName, zoneID: Self.zoneID),
          recordType: "Person", recordChangeTag: String(1000 + serial, radix: 36))
        system.created = RecordStamp(date: person.posts[0], userRecordName: person.userName)
        system.modified = RecordStamp(date: person.posts[1], userRecordName: person.userName)
        let number = Field(name: "serial", value: .int64(Int64(serial)))
        try writer.add(
          ResultRecord(
            systemFields: system,
            fields: (fields(person) + [number]).sorted { $0.name < $1.name }), to: .private)
        try addPosts(of: person, serial, writer)
      }
    }
    return try ContainerStore.open(path: path, mode: .readOnly)
  }

  /// The posts, and one record whose date says nothing: the epoch.
  private func addPosts(of person: Person, _ serial: Int, _ writer: ImportTransaction) throws {
    for (index, date) in person.posts.enumerated() {
      var system = SystemFields(
        recordID: RecordID(recordName: "post-\(serial)-\(index)"), recordType: "Post",
        recordChangeTag: String(serial * 4 + index + 9_000_000, radix: 36))
      system.created = RecordStamp(date: date, userRecordName: person.userName)
      let fields = [
        Field(
          name: "never",
          value: .timestamp(index == 0 ? Date(timeIntervalSince1970: 0) : .distantPast)),
        Field(
          name: "nowhere", value: .location(Location(latitude: 0, longitude: 0))),
        Field(name: "sentAt", value: .timestamp(date)),
        Field(name: "serial", value: .int64(Int64(serial))),
      ]
      try writer.add(ResultRecord(systemFields: system, fields: fields), to: .public)
    }
  }
}
