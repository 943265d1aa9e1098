import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// How the dates and locations of one user's records move.
struct AnonymisedUser: Sendable {
  /// The milliseconds that are added to each date: between 30 and 730 days into the past.
  let milliseconds: Int64
  /// The degrees that are added to the latitude and to the longitude.
  let degrees: (latitude: Double, longitude: Double)

  private static let day = 86_400_000

  /// Dates closer to 2001 than this are exact to the millisecond as seconds, too.
  static let exactMilliseconds: UInt64 = 1 << 50

  init(named name: String, _ hash: SipHash) {
    var random = SeededNumbers(seed: hash.hash(name))
    milliseconds = -Int64(30 * Self.day + random.below(700 * Self.day))
    let latitude = 5 + 30 * random.fraction()
    degrees = (
      random.below(2) == 0 ? latitude : -latitude, 30 + 300 * random.fraction()
    )
  }

  /// Moves a date; whole milliseconds stay whole ones.
  func shift(_ date: Date) -> Date {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = (seconds * 1000).rounded()
    guard whole.magnitude < Double(Self.exactMilliseconds), whole / 1000 == seconds else {
      return Date(timeIntervalSinceReferenceDate: seconds + Double(milliseconds) / 1000)
    }
    return CanonicalDate.date(wholeMilliseconds: Int64(whole) + 978_307_200_000 + milliseconds)
  }

  /// Moves a location on the globe; beyond the 85th degree of latitude, back again.
  func move(_ location: Location) -> Location {
    var moved = location
    moved.otherMembers = []
    var latitude = max(-90, min(90, location.latitude)) + degrees.latitude
    if latitude > 85 { latitude = 170 - latitude }
    if latitude < -85 { latitude = -170 - latitude }
    moved.latitude = Self.rounded(latitude)
    var longitude = max(-180, min(180, location.longitude)) + degrees.longitude
    if longitude > 180 { longitude -= 360 }
    moved.longitude = Self.rounded(longitude)
    moved.timestamp = location.timestamp.map(shift)
    return moved
  }

  /// Six digits behind the point are a tenth of a metre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}
