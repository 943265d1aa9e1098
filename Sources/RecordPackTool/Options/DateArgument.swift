import ArgumentParser
import Foundation
import RecordText

/// An ISO 8601 date: a day, which means midnight UTC, or a time with its UTC offset.
struct DateArgument: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    guard let date = DateInput.date(argument) else { return nil }
    self.date = date
  }
}
