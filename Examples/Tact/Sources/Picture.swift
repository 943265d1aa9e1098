import Foundation

/// Small pictures, drawn rather than stored: a sunset as a BMP file.
enum Picture {
  /// - Parameter hue: where on the colour circle the sky begins, in degrees.
  static func sunset(width: Int, height: Int, hue: Int) -> Data {
    let rowSize = (width * 3 + 3) / 4 * 4
    var file = header(width: width, height: height, pixelBytes: rowSize * height)
    let bottom = colour(hue)
    let top = colour(hue + 120)
    for row in 0..<height {
      for column in 0..<width {
        let isSun = square(column - width / 2) + square(row - height / 3) < square(height / 5)
        for channel in 0..<3 {
          let sky = (bottom[channel] * (height - row) + top[channel] * row) / height
          file.append(isSun ? [80, 200, 255][channel] : UInt8(clamping: sky))
        }
      }
      file.append(contentsOf: repeatElement(0, count: rowSize - width * 3))
    }
    return file
  }

  /// The file and picture headers: 54 bytes, numbers in little endian.
  private static func header(width: Int, height: Int, pixelBytes: Int) -> Data {
    var data = Data("BM".utf8)
    func append(_ number: Int, bytes: Int) {
      for index in 0..<bytes { data.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
    append(54 + pixelBytes, bytes: 4)
    append(0, bytes: 4)
    append(54, bytes: 4)
    append(40, bytes: 4)
    append(width, bytes: 4)
    append(height, bytes: 4)
    append(1, bytes: 2)
    append(24, bytes: 2)
    append(0, bytes: 4)
    append(pixelBytes, bytes: 4)
    for _ in 0..<4 { append(0, bytes: 4) }
    return data
  }

  private static func square(_ number: Int) -> Int { number * number }

  /// Blue, green and red of a hue.
  private static func colour(_ hue: Int) -> [Int] {
    [240, 120, 0].map { shift in
      let distance = abs((hue + shift) % 360 - 180)
      return min(255, max(0, (120 - distance) * 255 / 60)) / 2 + 60
    }
  }
}
