import Foundation

/// The bytes of a bundle's file: a whole one, or a sample with bytes changed (see ``BytePatch``).
struct BundleTarget: FuzzTarget {
  private let checks: BundleChecks
  private let sample: Data

  init() throws {
    checks = BundleChecks(folder: try WorkFolder())
    let path = checks.folder.path("sample.recordpack")
    try Samples.writeBundle(to: path)
    sample = try Data(contentsOf: URL(fileURLWithPath: path))
  }

  func run(_ input: [UInt8]) throws {
    var bytes = Data(input)
    let isWhole = input.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    if !isWhole {
      bytes = sample
      for line in input.split(separator: UInt8(ascii: "\n")).prefix(32) {
        if line.first == UInt8(ascii: "<") {
          // Cuts the file short.
          let count = Int(String(decoding: line.dropFirst(), as: UTF8.self)) ?? 0
          bytes = Data(bytes.prefix(max(0, count)))
          if bytes.isEmpty { return }
        } else {
          _ = BytePatch.apply(line, to: &bytes)
        }
      }
    }
    let path = checks.folder.path("b.recordpack")
    try bytes.write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    let isIntact = checks.check(path)
    if bytes == sample {
      require(isIntact, "the sample is not intact")
    } else if !isWhole {
      require(!isIntact, "a changed bundle is called intact")
    }
  }
}
