extension PlanMistakes {
  /// Steps that follow a right one, and begin on line 9.
  static let laterSteps = """
    == 11:12 did you mean 'count'
      - do: leave-behind
        type: Message
        where: coun == 'x'
    == 11:12 did you mean 'length'
      - do: leave-behind
        type: Message
        where: lenght(count) > 3
    == 11:12 did you mean 'recordName'
      - do: leave-behind
        type: Message
        where: recordNam == 'x'
    == 11:18 where: '~' is unexpected
      - do: leave-behind
        type: Message
        where: count ~ 'x'
    == 11:12 did you mean 'count'
      - do: leave-behind
        type: Message
        where: >
          has(count)
          and coun == 'x'
    == 11:12 where, column 12: '~' is unexpected
      - do: leave-behind
        type: Message
        where: |
          has(count)
          ~ true
    == 11:12 where: a condition must be a Boolean, but this is a string
      - do: leave-behind
        type: Message
        where: count
    == 11:12 where: a condition must be a Boolean, but this is a string
      - do: leave-behind
        type: Message
        where: lower(count)
    == 11:18 where: '>' cannot be applied to a string and an integer
      - do: leave-behind
        type: Message
        where: count > 3
    == 11:12 where is a string, not a list
      - do: leave-behind
        type: Message
        where: [count]
    == 11:11 where is empty
      - do: leave-behind
        type: Message
        where:
    == 13:12 value should be INT64, and is a string that is not a 64-bit integer
      - do: add-field
        type: Message
        field: x
        as: INT64
        value: many
    == 13:12 value should be TIMESTAMP, and is a string that is not a date in the format
      - do: add-field
        type: Message
        field: x
        as: TIMESTAMP
        value: 2024-13-40
    == 12:9 did you mean 'STRING'
      - do: add-field
        type: Message
        field: x
        as: STRNG
        value: many
    == 12:9 did you mean 'STRING'
      - do: add-field
        type: Message
        field: x
        as: string
        value: many
    == 12:9 as: there is no type 'BOOLEAN'; use one of ASSET, BYTES, DOUBLE,
      - do: add-field
        type: Message
        field: x
        as: BOOLEAN
        value: true
    == 9:5 a new field has one source, but this has value and from
      - do: add-field
        type: Message
        field: x
        value: 1
        from: count
    == 12:13 did you mean 'skip'
      - do: encrypt
        type: Message
        field: count
        misfit: skipp
    == 12:14 did you mean 'keep-in'
      - do: encrypt
        type: Message
        field: count
        misfit: {keep: other}
    == 12:13 {keep-in: FIELD}
      - do: encrypt
        type: Message
        field: count
        misfit: keep-in other
    == 12:13 there is no single value to keep in 'other'; use fail or skip
      - do: drop-field
        type: Message
        field: count
        misfit: {keep-in: other}
    == 13:23 the schema of version 'v2' has no field 'countText' of 'Message', and
      - do: convert
        type: Message
        field: count
        to: STRING
        misfit: {keep-in: countText}
    == 12:15 did you mean 'private'
      - do: encrypt
        type: Message
        field: count
        database: privat
    == 12:13 did you mean 'DELETE_SELF'
      - do: set-reference
        type: Message
        field: x
        action: DELETESELF
    == 13:16 did you mean 'keep'
      - do: map-values
        type: Message
        field: count
        values: {a: b}
        otherwise: kepp
    == 12:17 keep-field is true or false, not 'yes'
      - do: set-parent
        type: Message
        field: chat
        keep-field: yes
    == 13:13 format: 'YYYY' is not part of a date, or is repeated; use yyyy MM
      - do: convert
        type: Message
        field: count
        to: TIMESTAMP
        format: YYYY-MM-DD
    == 13:13 a format is for dates, but 'count' neither is nor becomes one
      - do: convert
        type: Message
        field: count
        to: INT64
        format: yyyy-MM-dd
    == 9:5 'to' is missing: the new type
      - do: convert
        type: Message
        field: size
    == 13:5 'convert' has no 'multiply'
      - do: convert
        type: Message
        field: size
        to: INT64
        multiply: 1000
    == 11:12 field is a string, not a list
      - do: drop-field
        type: Message
        field: [count, size]
    == 11:12 at this step 'Message' has no field 'text'; line 5 renames it to
      - do: encrypt
        type: Message
        field: text
    == 14:12 at this step 'Message' has no field 'count'; line 9 drops it
      - do: drop-field
        type: Message
        field: count
      - do: encrypt
        type: Message
        field: count
    == 13:11 at this step there is no record type 'Chat'; line 9 renames it to
      - do: rename-type
        type: Chat
        to: Room
      - do: encrypt
        type: Chat
        field: title
    == 11:12 the schema of version 'v2' has no field 'extra' of 'Message', and no
      - do: add-field
        type: Message
        field: extra
        value: 1
    == 12:9 field 'count' of 'Message' is INT64 in the result, but the
      - do: convert
        type: Message
        field: count
        to: INT64
    == 11:12 field 'count' of 'Message' is ENCRYPTED STRING in the result,
      - do: encrypt
        type: Message
        field: count
    == 12:9 'Message' already has a field 'count'
      - do: rename-field
        type: Message
        field: size
        to: count
    == 12:9 field 'place' is LOCATION, which cannot become STRING
      - do: convert
        type: Message
        field: place
        to: STRING
    == 12:11 field 'count' is STRING at this step, not INT64
      - do: convert
        type: Message
        field: count
        from: INT64
        to: STRING
    == 11:12 field 'photo' is ASSET at this step, which encrypt does not accept
      - do: encrypt
        type: Chat
        field: photo
    == 11:12 field 'secret' is already encrypted
      - do: encrypt
        type: Message
        field: secret
    == 13:11 'secret' is encrypted, but the new field would be plain; give it a
      - do: add-field
        type: Message
        field: copy
        as: STRING
        from: secret
    == 11:12 field 'count' is not encrypted
      - do: decrypt
        type: Message
        field: count
    == 11:12 field 'count' is STRING at this step, which set-parent does not
      - do: set-parent
        type: Message
        field: count
    == 12:14 field 'count' is STRING, and '1' is an integer; quote a string:
      - do: map-values
        type: Message
        field: count
        values: {1: low, 2: high}
    == 10:11 the step requires the names of record types; '*' is not allowed
      - do: rename-type
        type: '*'
        to: Room
    == 11:14 to-zone must be NAME or NAME/OWNER, but a part of 'Chats/' is
      - do: move
        type: Message
        to-zone: Chats/
    """
}
