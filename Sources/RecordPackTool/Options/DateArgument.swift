import ArgumentParser
import Foundation
import RecordCoding

/// An ISO 8601 date: a day, which means midnight UTC, or a time with its UTC offset.
struct DateArgument: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    let form =
      /[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2}))?/
    guard argument.wholeMatch(of: form) != nil, let date = ISODate.date(from: argument) else {
      return nil
    }
    self.date = date
  }
}
