import Foundation

extension Location {
  /// The mean radius of the Earth in metres (IUGG).
  private static let earthRadius = 6_371_008.8

  /// The metres of one degree of latitude.
  package static let metresPerDegree = earthRadius * .pi / 180

  /// Returns the great-circle distance to another location, in metres, on a sphere with the mean
  /// radius of the Earth.
  package func distance(to other: Location) -> Double {
    let (a, b) = (latitude * .pi / 180, other.latitude * .pi / 180)
    let (height, width) = (sin((b - a) / 2), sin((other.longitude - longitude) * .pi / 360))
    let chord = height * height + cos(a) * cos(b) * width * width
    return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
  }
}
