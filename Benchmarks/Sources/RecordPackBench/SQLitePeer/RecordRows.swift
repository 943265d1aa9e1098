import Foundation

/// Record lines in memory, taken apart into what goes into the columns of a container's table.
struct RecordRows {
  struct Row {
    var zone: Int64
    var type: Int64
    var name: UnsafeBufferPointer<CChar>
    var modified: Double
    var json: UnsafeRawBufferPointer
  }

  private struct Place {
    var json: Range<Int>
    var name: Int
    var zone: Int64
    var type: Int64
    var modified: Double
  }

  private let memory: UnsafeMutableRawBufferPointer
  private var places: [Place] = []
  /// Bytes of all lines.
  let bytes: Int

  /// How many rows there are.
  var count: Int { places.count }

  init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    memory = .allocate(byteCount: data.count, alignment: 16)
    data.copyBytes(to: memory)
    bytes = data.count
    var start = 0
    while start < memory.count {
      guard let base = memory.baseAddress,
        let end = memchr(base + start, 0x0A, memory.count - start)
      else { break }
      let next = UnsafeRawPointer(end) - UnsafeRawPointer(base) + 1
      add(start..<(next - 1))
      start = next
    }
  }

  /// Names are UUIDs, and members stand where the canonical form has them.
  private mutating func add(_ line: Range<Int>) {
    let text = UnsafeRawBufferPointer(rebasing: memory[line])
    guard text.starts(with: Array(#"{"kind":"record""#.utf8)),
      let zone = place(of: #","zoneID""#, in: text),
      let type = place(of: #""recordType":""#, in: text),
      let name = place(of: #""recordName":""#, in: text),
      let time = place(of: #""modified":{"timestamp":"#, in: text)
    else { return }
    // The dictionary's brace takes the place of the comma before its first member.
    memory[line.lowerBound + zone] = UInt8(ascii: "{")
    let number = text[(time + 24)...].prefix { $0 != UInt8(ascii: ",") }
    places.append(
      Place(
        json: (line.lowerBound + zone)..<line.upperBound, name: line.lowerBound + name + 14,
        zone: text[29] == UInt8(ascii: "p") ? 1 : 2, type: Int64(text[type + 14]),
        modified: (Double(String(decoding: number, as: UTF8.self)) ?? 0) / 1000 - 978_307_200))
  }

  private func place(of needle: StaticString, in text: UnsafeRawBufferPointer) -> Int? {
    let needle = UnsafeRawBufferPointer(
      start: needle.utf8Start, count: needle.utf8CodeUnitCount)
    var start = 0
    while start + needle.count <= text.count {
      if text[start] == needle[0],
        memcmp(text.baseAddress! + start, needle.baseAddress!, needle.count) == 0
      {
        return start
      }
      start += 1
    }
    return nil
  }

  func forEach(_ body: (Row) throws -> Void) rethrows {
    guard let base = memory.baseAddress else { return }
    for place in places {
      try body(
        Row(
          zone: place.zone, type: place.type,
          name: UnsafeBufferPointer(
            start: (base + place.name).assumingMemoryBound(to: CChar.self), count: 36),
          modified: place.modified, json: UnsafeRawBufferPointer(rebasing: memory[place.json])))
    }
  }
}
