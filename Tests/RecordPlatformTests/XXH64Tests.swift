import RecordPlatform
import Testing

@Suite("XXH64")
struct XXH64Tests {
  private func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { XXH64.hash($0) } }

  @Test("Hashes are those of well-known texts")
  func texts() {
    #expect(hash(Array("a".utf8)) == 0xD24E_C4F1_A98C_6E5B)
    #expect(hash(Array("abc".utf8)) == 0x44BC_2CF5_AD77_0999)
    #expect(
      hash(Array("Nobody inspects the spammish repetition".utf8)) == 0xFBCE_A83C_8A37_8BF1)
  }

  /// Hashes that the reference implementation computed of numbers from an LCG.
  @Test(
    "Bytes of every length are hashed as by the reference implementation",
    arguments: [
      (0, 0xEF46_DB37_51D8_E999),
      (1, 0xF88D_BA18_7615_C755),
      (2, 0x50FA_A590_AC3C_7F57),
      (3, 0xA828_9444_BACB_8722),
      (4, 0xB5F3_937E_3374_6DFE),
      (5, 0x2E5E_FE35_0956_9597),
      (7, 0x14B8_1207_FEBD_E331),
      (8, 0x483D_BBB3_EFAF_16AF),
      (9, 0x0FAA_477E_430A_E42E),
      (11, 0xF345_92A9_434D_A3A2),
      (12, 0x0CB8_C8F4_84A7_41A2),
      (15, 0x3433_84BE_1B80_B003),
      (16, 0x45E3_168C_5A17_7612),
      (17, 0x4457_0E72_B4CA_EF4F),
      (31, 0xF5C9_F1CA_24BF_D59E),
      (32, 0x9D7B_E853_1562_310D),
      (33, 0x0CA1_6790_699C_7125),
      (39, 0x6F5B_BEAC_4CCB_D60C),
      (40, 0xE036_1434_3FFC_7287),
      (63, 0xA333_BAEF_911F_F536),
      (64, 0x3D88_D4FD_7DEC_CFC0),
      (65, 0xAC4A_4540_F43C_6383),
      (100, 0x9EC1_C072_9F27_1FCD),
      (1000, 0x08B1_1215_3CDB_A2BB),
      (4097, 0x095A_FB25_AE0B_3722),
    ] as [(Int, UInt64)])
  func lengths(count: Int, expected: UInt64) {
    var state: UInt64 = 1
    let bytes = (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    #expect(hash(bytes) == expected)
    // The alignment of the bytes does not matter.
    let moved = [0] + bytes
    #expect(
      moved.withUnsafeBytes { XXH64.hash(UnsafeRawBufferPointer(rebasing: $0[1...])) } == expected)
  }
}
