import NotesModel
import RecordModel

extension Note {
  /// Decides about a field that two devices have changed. No text is lost: of two bodies, both are
  /// kept, and of two lists of tags, all tags.
  @Sendable static func merge(_ conflict: FieldConflict) -> RecordValue? {
    switch (conflict.key, conflict.theirs, conflict.mine) {
    case (Field.body, .string(let theirs), .string(let mine)): .string("\(theirs)\n\n\(mine)")
    case (Field.tags, .stringList(let theirs), .stringList(let mine)):
      .stringList(Set(theirs + mine).sorted())
    default: conflict.mine
    }
  }

  /// Takes a note out of a folder that another device has deleted while the note was written.
  @Sendable static func detach(_ note: inout DraftRecord) {
    note.parent = nil
    note.setField(Field.folder, to: nil)
  }
}
