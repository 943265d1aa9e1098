import AppStores
import RecordText

extension StoreLoss {
  /// The warning of a loss: what is missing, why, and what helps.
  func text(_ count: Int) -> String {
    let (values, records) = (Numbers.count(count, "value"), Numbers.count(count, "record"))
    let first = example.map { " (the first: \($0))" } ?? ""
    return switch reason {
    case .notDecoded:
      "\(values) of '\(place)' cannot be decoded, or the file is missing; the bytes of the cell are "
        + "kept"
    case .nameTaken:
      "\(values) of '\(place)' are in no record: another field of the record has the same name; "
        + "rename the attribute"
    case .notSynchronized:
      "\(Numbers.count(count, "row")) of '\(place)' are no records: the table has no primary key of "
        + "one column, so SQLiteData does not synchronize it"
    case .noSystemFields:
      "the change tag, dates and share of \(records) of '\(place)' are missing: the metadata database's "
        + "'lastKnownServerRecord' cannot be read\(first); let the app sync, and try again"
    case .noServerRecord:
      "the times of fields in \(records) of '\(place)' are those of the last change, and fields of newer "
        + "versions of the app are missing; '_lastKnownServerRecordAllFields' in the metadata database "
        + "cannot be read\(first); let the app sync, and try again"
    case .noServerValue:
      "\(values) of '\(place)' cannot be read: the app's database has no such column, and the metadata "
        + "database has an unknown form, or a file that is elsewhere; use the newest version of the app"
    case .noRow:
      "\(records) of '\(place)' cannot be read: the metadata database knows of them, and the app's "
        + "database has no rows; let the newest version of the app sync, and try again"
    case .noShare:
      "the share of \(records) of '\(place)' cannot be read\(first); let the app sync, and try again"
    case .noZone:
      "the zone of \(records) of '\(place)' is missing in 'ANSCKRECORDZONEMETADATA'\(first), so they are "
        + "in the zone of objects that were never exported; let the app sync, and try again"
    }
  }
}
