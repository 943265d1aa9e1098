import Foundation
import Testing

@testable import RecordModel

struct CompactNameTests {
  @Test("UUIDs of either case are packed and spelled as they were")
  func roundTrip() {
    for _ in 0..<200 {
      let upper = UUID().uuidString
      for text in [upper, upper.lowercased()] {
        let name = CompactName(text)
        if case .text = name { Issue.record("\(text) was not packed") }
        #expect(name.string == text)
      }
    }
  }

  @Test("No byte but a digit of one case is taken for one")
  func everyByte() {
    let uuid = Array("0123ABCD-89EF-4567-89AB-CDEF01234567".utf8)
    for place in uuid.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = uuid
        bytes[place] = byte
        let packed = bytes.withUnsafeBytes { CompactName(uuid: $0) }
        let isDash = uuid[place] == UInt8(ascii: "-")
        let isDigit = (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
        #expect((packed != nil) == (isDash ? byte == uuid[place] : isDigit))
        if let packed { #expect(Array(packed.string.utf8) == bytes) }
      }
    }
  }

  @Test("The name of a user is packed, and no byte but a digit in lower case is taken for one")
  func users() {
    let name = Array("_0123abcd89ef456789abcdef01234567".utf8)
    for place in name.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = name
        bytes[place] = byte
        let digits = bytes.withUnsafeBytes { NameDigits($0) }
        let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        #expect((digits != nil) == (place == 0 ? byte == name[0] : isDigit))
        if let digits { #expect(Array(CompactName(digits).string.utf8) == bytes) }
      }
    }
  }

  @Test("An identifier has the bytes of its name")
  func bytes() {
    for text in [
      "0123ABCD-89EF-4567-89AB-CDEF01234567", "0123abcd-89ef-4567-89ab-cdef01234567",
      "_0123abcd89ef456789abcdef01234567", "_0123ABCD89EF456789ABCDEF01234567", "é", "",
    ] {
      let recordID = RecordID(recordName: text)
      let bytes = recordID.withUTF8RecordName { Array($0) }
      #expect(bytes == Array(text.utf8))
      #expect(recordID.recordName == text)
    }
  }

  @Test("A UUID without letters is the same name in either case")
  func noLetters() {
    let text = "01234567-8901-2345-6789-012345678901"
    #expect(CompactName(text) == CompactName(text.lowercased()))
    #expect(CompactName(text).string == text)
  }

  @Test("Mixed case, other lengths and other dashes stay text")
  func others() {
    for text in [
      "0123ABCd-89EF-4567-89AB-CDEF01234567", "", "x", "0123ABCD-89EF-4567-89AB-CDEF0123456",
      "0123ABCD089EF-4567-89AB-CDEF01234567", "0123ABCD-89EF-4567-89AB-CDEF0123456é",
    ] {
      #expect(CompactName(text) == .text(ExactString(text)))
      #expect(CompactName(text).string == text)
    }
  }

  @Test("UUIDs in upper case are in the order of their numbers")
  func order() {
    let names = (0..<100).map { _ in UUID().uuidString }
    for (a, b) in zip(names, names.dropFirst()) {
      guard case .upperUUID(let high, let low) = CompactName(a),
        case .upperUUID(let otherHigh, let otherLow) = CompactName(b)
      else {
        Issue.record("not packed")
        return
      }
      #expect((compareUTF8(a, b) < 0) == ((high, low) < (otherHigh, otherLow)))
    }
  }
}
