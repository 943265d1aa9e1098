/// Formats numbers, the same in every locale.
package enum Numbers {
  /// `1,234,567`.
  package static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      let rest = digits.count - index
      if index > 0, rest % 3 == 0, text != "-" { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `1 record`, `1,234 records`.
  package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `12 bytes`, `3.4 kB`, `56 MB`: powers of 1000, at most three digits.
  package static func size(_ bytes: some BinaryInteger) -> String {
    let bytes = Double(bytes)
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(Int(bytes)) bytes" }
    var value = bytes / 1000
    for unit in ["kB", "MB", "GB", "TB"] {
      // 999.5 would round to 1000.
      if value < 999.5 { return "\(threeDigits(value)) \(unit)" }
      value /= 1000
    }
    return "\(threeDigits(value)) PB"
  }

  /// A compressed size and its ratio: `12 kB, 3.4 times smaller than the 41 kB of its lines`.
  package static func compressed(_ bytes: Int, from content: Int) -> String {
    let (smaller, larger) = (Double(min(bytes, content)), Double(max(bytes, content)))
    let ratio = threeDigits(larger / max(1, smaller))
    return "\(size(bytes)), \(ratio) times \(bytes > content ? "larger" : "smaller") than the "
      + "\(size(content)) of its lines"
  }

  package static func threeDigits(_ value: Double) -> String {
    if value < 9.995 { return fixed(value, 2) }
    return value < 99.95 ? fixed(value, 1) : fixed(value, 0)
  }

  /// A number with a fixed number of decimals.
  package static func fixed(_ value: Double, _ digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return grouped(scaled) }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(grouped(scaled / scale)).\(zeros)\(fraction)"
  }

  /// `0:07`, `12:34`, `1:02:03`.
  package static func duration(seconds: Double) -> String {
    guard seconds.isFinite, seconds < 360_000 else { return "–" }
    let total = Int(max(0, seconds).rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (total / 3600, total / 60 % 60)
    let rest = two(total % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(rest)" : "\(minutes):\(rest)"
  }
}
