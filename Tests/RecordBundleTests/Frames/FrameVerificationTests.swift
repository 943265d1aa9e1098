import Foundation
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("What verifies the content of a frame")
struct FrameVerificationTests {
  /// A frame of one raw block, whose checksum is not that of its content.
  private static let bytes: [UInt8] =
    [0x28, 0xB5, 0x2F, 0xFD, 0x24, 2, 0x11, 0, 0] + Array("x\n".utf8) + [0, 0, 0, 0]

  /// Decodes the frame, and calls `body` with the decoder and the content.
  private func decode(
    _ bytes: [UInt8] = Self.bytes, digest: SHA256Digest?, isLast: Bool = false,
    _ check: FrameVerification = .digestOrChecksum,
    _ body: (FrameDecoder, FrameContent) -> Void = { _, _ in }
  ) throws {
    let file = try RandomAccessFile(Data(bytes), name: "frame")
    let location = FrameLocation(
      index: 0, offset: 0, compressedSize: bytes.count, isLast: isLast, digest: digest)
    let decoder = try FrameDecoder(limits: .standard)
    body(decoder, try decoder.decode(location, of: file, verifiedBy: check))
  }

  private let digest = Self.bytes.withUnsafeBytes { SHA256Digest(of: $0) }

  @Test("Where the index has the digest of the frame, it verifies the content")
  func digestAlone() throws {
    try decode(digest: digest) { decoder, content in
      #expect(content.strings == ["x"])
      // The frame is as it was read.
      #expect(decoder.compressedDigest == digest)
    }
  }

  @Test("Of the index, without a digest, and where both are asked for, the checksum is checked")
  func checksum() {
    let checks: [(SHA256Digest?, isLast: Bool, FrameVerification)] = [
      (nil, false, .digestOrChecksum), (nil, false, .digestAndChecksum),
      (digest, false, .digestAndChecksum), (digest, true, .digestOrChecksum),
    ]
    for (digest, isLast, check) in checks {
      let error = frameError { try decode(digest: digest, isLast: isLast, check) }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("its content does not match its checksum") == true)
    }
  }

  @Test("A change of any bit is found by the digest")
  func everyBit() {
    for bit in 0..<8 * Self.bytes.count {
      var changed = Self.bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let error = frameError { try decode(changed, digest: digest) }
      #expect(error?.message.contains("its bytes do not match the SHA-256") == true)
    }
  }
}
