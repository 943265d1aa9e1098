import RecordArchive
import RecordText

/// A chart of horizontal bars, as a list that can also be read aloud.
package struct BarChart {
  /// A bar: a name, and one or two parts.
  package struct Bar {
    package var label: HTML
    package var value: Int
    /// The second part, after the first.
    package var extra = 0
    /// The value in other words, such as `1,234 records`.
    package var note: String?

    package init(_ label: HTML, _ value: Int, extra: Int = 0, note: String? = nil) {
      (self.label, self.value, self.extra, self.note) = (label, value, extra, note)
    }

    fileprivate var sum: Int { value.clampedSum(extra) }
  }

  /// The title.
  package var caption: String
  package var bars: [Bar]
  /// The names of the two parts; nil if bars have one.
  package var legend: (String, String)?
  /// Writes a value, such as `12 kB`.
  package var text: (Int) -> String

  package init(
    _ caption: String, _ bars: [Bar], legend: (String, String)? = nil,
    text: @escaping (Int) -> String
  ) {
    (self.caption, self.bars, self.legend, self.text) = (caption, bars, legend, text)
  }

  /// The number of bars; the rest become one.
  package static let maxBars = 15

  /// Makes one bar of those that are too many.
  ///
  /// - Parameter noun: The noun of the bars, such as `types`.
  package mutating func limit(to count: Int = maxBars, _ noun: String) {
    guard bars.count > count + 1 else { return }
    let rest = bars[count...]
    let text = "\(Numbers.grouped(rest.count)) other \(noun)"
    bars.removeSubrange(count...)
    bars.append(
      Bar(
        "<em>\(text)</em>", rest.reduce(0) { $0.clampedSum($1.value) },
        extra: rest.reduce(0) { $0.clampedSum($1.extra) }))
  }

  package var html: HTML {
    let largest = max(1, bars.map(\.sum).max() ?? 1)
    let total = bars.reduce(0) { $0.clampedSum($1.sum) }
    let legend: HTML? = legend.map { first, second in
      """
      <p class="legend"><span class="key"></span>\(first)<span class="key extra"></span>\(second)</p>
      """
    }
    return """
      <figure class="chart">
      <figcaption>\(caption)</figcaption>
      \(legend)
      <ul class="bars">
      \(bars.map { row($0, largest, total) })
      </ul>
      </figure>
      """
  }

  private func row(_ bar: Bar, _ largest: Int, _ total: Int) -> HTML {
    let extra: HTML? =
      bar.extra > 0
      ? "<i class=\"extra\" style=\"width:\(Self.width(bar.extra, largest))\"></i>" : nil
    let note: HTML? = bar.note.map { " <span class=\"quiet\">\($0)</span>" }
    let share = total > 0 ? Self.percent(bar.sum, of: total) : ""
    return """
      <li><span class="label"><bdi>\(bar.label)</bdi>\(note)</span>\
      <span class="track" aria-hidden="true">\
      <i style="width:\(Self.width(bar.value, largest))"></i>\(extra)</span>\
      <span class="value">\(text(bar.sum))</span> <span class="share">\(share)</span></li>
      """
  }

  private static func width(_ value: Int, _ largest: Int) -> HTML {
    let percent = Double(max(0, value)) / Double(largest) * 100
    return HTML(markup: Numbers.fixed(percent, 2) + "%")
  }

  /// `42 %`; `< 1 %` for a small part.
  package static func percent(_ part: Int, of total: Int) -> String {
    let share = Double(part) / Double(max(1, total)) * 100
    if share > 0, share < 1 { return "< 1 %" }
    // 99.7 % is not all.
    return part < total && share > 99 ? "> 99 %" : "\(Int(share.rounded())) %"
  }
}
