/// The first eight bytes of a name as a big-endian number, and zeros behind a shorter one.
///
/// Of two names with different prefixes, the one with the smaller prefix comes first.
struct NamePrefix {
  let bytes: UInt64

  init(_ name: UnsafeRawBufferPointer) {
    if name.count >= 8 {
      bytes = UInt64(bigEndian: name.loadUnaligned(as: UInt64.self))
    } else {
      bytes = (0..<8).reduce(0) { $0 << 8 | ($1 < name.count ? UInt64(name[$1]) : 0) }
    }
  }
}
