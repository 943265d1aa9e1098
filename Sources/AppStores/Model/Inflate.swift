/// Decompresses raw DEFLATE data (RFC 1951), without the header of zlib.
///
/// Core Data compresses the model in a store so. The system's zlib would be one more package to
/// install for 12 kB of data.
package struct Inflate {
  /// A reason why data cannot be decompressed.
  package struct Failure: Error {
    /// The offset of the byte where reading stopped.
    package var byte: Int
    package var reason: String
  }

  private let bytes: [UInt8]
  private let limit: Int
  private var position = 0
  private var bitBuffer: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// Returns the decompressed bytes.
  ///
  /// - Parameters:
  ///   - bytes: The compressed data. Bytes after its end are ignored.
  ///   - limit: The maximum size of the result.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var inflate = Inflate(bytes: bytes, limit: limit)
    try inflate.run()
    return inflate.output
  }

  private init(bytes: [UInt8], limit: Int) { (self.bytes, self.limit) = (bytes, limit) }

  private mutating func run() throws(Failure) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try copyStored()
      case 1: try decode(Self.fixedLiterals, Self.fixedDistances)
      case 2:
        let (literals, distances) = try dynamicCodes()
        try decode(literals, distances)
      default: throw failure("a block of the reserved type 3")
      }
    }
  }

  private func failure(_ reason: String) -> Failure { Failure(byte: position, reason: reason) }

  /// Returns the next bits; the first is the lowest.
  private mutating func bits(_ count: Int) throws(Failure) -> Int {
    while bitCount < count {
      guard position < bytes.count else { throw failure("the data ends within a block") }
      bitBuffer |= UInt32(bytes[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    let value = bitBuffer & (1 << UInt32(count) - 1)
    bitBuffer >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func add(_ byte: UInt8) throws(Failure) {
    guard output.count < limit else { throw failure("more than \(limit) bytes of content") }
    output.append(byte)
  }

  private mutating func copyStored() throws(Failure) {
    // The block begins at a byte.
    _ = try bits(bitCount % 8)
    let length = try bits(16)
    guard try bits(16) == ~length & 0xFFFF else { throw failure("a damaged length of a block") }
    for _ in 0..<length { try add(UInt8(try bits(8))) }
  }

  // MARK: Codes

  /// A Huffman code: the number of codes of each length, and the symbols in the order of their codes.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    /// - Parameter lengths: The length of the code of each symbol; 0 for a symbol that does not occur.
    init?(_ lengths: some Collection<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      // No more codes than there are of each length.
      var free = 1
      for length in 1...15 {
        free = free * 2 - counts[length]
        if free < 0 { return nil }
      }
      for length in 1...15 where counts[length] > 0 {
        for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
      }
    }
  }

  private static let fixedLiterals = fixed(
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
      + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
  private static let fixedDistances = fixed([Int](repeating: 5, count: 30))

  private static func fixed(_ lengths: [Int]) -> Code {
    guard let code = Code(lengths) else { preconditionFailure("the lengths of RFC 1951 fit") }
    return code
  }

  private mutating func symbol(_ code: Code) throws(Failure) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= try bits(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw failure("a code that no symbol has")
  }

  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private mutating func dynamicCodes() throws(Failure) -> (literals: Code, distances: Code) {
    let literalCount = try bits(5) + 257
    let distanceCount = try bits(5) + 1
    let lengthCount = try bits(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw failure("too many codes") }
    var codeLengths = [Int](repeating: 0, count: 19)
    for place in Self.lengthOrder.prefix(lengthCount) { codeLengths[place] = try bits(3) }
    guard let lengthCode = Code(codeLengths) else { throw failure("codes that overlap") }
    var lengths: [Int] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try symbol(lengthCode)
      switch symbol {
      case 0...15: lengths.append(symbol)
      case 16:
        guard let last = lengths.last else { throw failure("a repetition without a length") }
        lengths += [Int](repeating: last, count: try bits(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
      default: lengths += [Int](repeating: 0, count: try bits(7) + 11)
      }
    }
    guard lengths.count == literalCount + distanceCount, lengths[256] > 0,
      let literals = Code(lengths[..<literalCount]), let distances = Code(lengths[literalCount...])
    else { throw failure("codes that do not fit") }
    return (literals, distances)
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]

  private mutating func decode(_ literals: Code, _ distances: Code) throws(Failure) {
    while true {
      let symbol = try symbol(literals)
      if symbol < 256 {
        try add(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      let place = symbol - 257
      guard place < Self.lengthBases.count else { throw failure("a length that is not defined") }
      let extra = place < 8 || place == 28 ? 0 : place / 4 - 1
      let length = try Self.lengthBases[place] + bits(extra)
      let code = try self.symbol(distances)
      guard code < Self.distanceBases.count else { throw failure("a distance that is not defined") }
      let distance = try Self.distanceBases[code] + bits(code < 2 ? 0 : code / 2 - 1)
      guard distance <= output.count else { throw failure("a copy from before the beginning") }
      for _ in 0..<length { try add(output[output.count - distance]) }
    }
  }
}
