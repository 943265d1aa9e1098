import Foundation
import Synchronization

/// Takes sums from several threads, each mostly in a place of its own, so that adding up does not
/// make them wait for each other.
final class SharedSum: Sendable {
  private final class Cell: Sendable {
    let value = Atomic<UInt64>(0)
    let records = Atomic<Int>(0)
    // Keeps the next cell out of this one's cache lines.
    let padding = SIMD16<UInt64>()
  }

  private let cells = (0..<16).map { _ in Cell() }

  /// Adds the sum of one record.
  func add(_ value: UInt64) {
    let cell = cells[Self.placeOfThread]
    cell.value.wrappingAdd(value, ordering: .relaxed)
    cell.records.wrappingAdd(1, ordering: .relaxed)
  }

  /// Adds the sum of one value's properties.
  func add(_ body: (inout ValueSum) -> Void) {
    var own = ValueSum()
    body(&own)
    add(own.value)
  }

  /// Threads lie pages apart; the multiplication mixes their addresses.
  private static var placeOfThread: Int {
    #if canImport(Darwin)
      let thread = UInt(bitPattern: pthread_self())
    #else
      let thread = UInt(pthread_self())
    #endif
    return Int((thread &* 0x9E37_79B9_7F4A_7C15) >> 60)
  }

  /// The sum of all.
  var value: UInt64 { cells.reduce(0) { $0 &+ $1.value.load(ordering: .relaxed) } }
  /// How many records were added.
  var records: Int { cells.reduce(0) { $0 + $1.records.load(ordering: .relaxed) } }
}
