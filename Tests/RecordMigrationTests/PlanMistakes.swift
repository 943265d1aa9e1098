/// Mistakes people make in plans. Each begins with where the error must point, and with a part of what
/// it must say.
enum PlanMistakes {
  /// Steps, the first of which stands on line 5.
  static let steps = """
    == 6:1 a tab: indent lines with spaces
      - do: rename-field
    \ttype: Message
        field: text
        to: body
    == 7:4 expected '- ' for an item of the list; keys of a step have the same
      - do: rename-field
        type: Message
       field: text
        to: body
    == 7:11 an unexpected ':': the line above lacks one (or the space after
      - do: rename-field
        type: Message
         field: text
        to: body
    == 6:9 an unexpected ':': the line above lacks one (or the space after it),
      - do rename-field
        type: Message
    == 6:9 an unexpected ':': the line above lacks one (or the space after it),
      - do:rename-field
        type: Message
    == 6:11 no quotation mark closes this string
      - do: rename-field
        type: "Message
        field: text
        to: body
    == 5:5 no '}' closes this
      - {do: rename-field, type: Message, field: text, to: body
    == 5:30 a value that begins with '*' must be quoted
      - {do: rename-field, type: *, field: text, to: body}
    == 6:11 a value that begins with '*' must be quoted
      - do: rename-field
        type: *
        field: text
        to: body
    == 8:12 a value that begins with '@' must be quoted
      - do: add-field
        type: Message
        field: x
        value: @me
    == 7:16 expected 'key: value'; keys of one mapping have the same
      - do: leave-behind
        type: Message
        where: 'x' == text
    == 7:22 an unexpected ':': the line above lacks one (or the space after
      - do: leave-behind
        type: Message
        where: text == 'a: b'
    == 7:20 where: the string has no closing '; ' #' begins a comment unless
      - do: leave-behind
        type: Message
        where: text == ' #1'
    == 7:5 'field' is repeated
      - do: rename-field
        type: Message
        field: text
        field: count
        to: body
    == 5:5 '&' and '*' are YAML anchors and aliases, which a plan cannot have;
      - &a {do: rename-field, type: Message, field: text, to: body}
      - *a
    == 9:1 a second document begins here; put each plan in a separate file
      - do: rename-field
        type: Message
        field: text
        to: body
    ---
    recordpack-migration: 1
    from: v1
    to: v2
    steps:
      - do: rename-field
        type: Message
        field: text
        to: body
    == 5:3 steps is a list, not a mapping: each step begins with '- do:'
      do: rename-field
      type: Message
    == 5:5 write 'do: rename-field'
      - rename-field
    == 5:5 a step is named by 'do': write 'do: rename-field' with its keys
      - rename-field:
          type: Message
          field: text
          to: body
    == 5:9 did you mean 'rename-field'
      - do: rename-feild
        type: Message
    == 5:9 there is no step 'custom'; use one of add-field, clear-parent,
      - do: custom
        type: Message
    == 7:5 did you mean 'field'
      - do: rename-field
        type: Message
        feild: text
        to: body
    == 5:5 'to' is missing: the field's new name
      - do: rename-field
        type: Message
        field: text
    == 5:5 'type' is missing: the record type, a list of them, or '*' for all
      - do: rename-field
        field: text
        to: body
    == 6:11 did you mean 'Message'
      - do: rename-field
        type: Mesage
        field: text
        to: body
    == 6:11 did you mean 'Message'
      - do: rename-field
        type: message
        field: text
        to: body
    == 7:12 did you mean 'text'
      - do: rename-field
        type: Message
        field: txt
        to: body
    == 8:9 did you mean 'body'
      - do: rename-field
        type: Message
        field: text
        to: bodi
    == 7:9 the schema of version 'v2' has no record type 'Room', and no step
      - do: rename-type
        type: Chat
        to: Room
      - do: rename-field
        type: Message
        field: text
        to: body
    """

  /// Whole plans.
  static let plans = """
    == 2:1 'from' is repeated
    recordpack-migration: 1
    from: v1
    from: v3
    to: v2
    steps: []
    == 4:4 '&' and '*' are YAML anchors and aliases, which a plan cannot have;
    recordpack-migration: 1
    from: v1
    to: v2
    a: &a [x,x]
    b: &b [*a,*a]
    steps: [*b,*b]
    == 1:1 the plan is empty
    # nothing
    == 1:1 a plan is a mapping of keys to values, not a list
    - do: rename-field
      type: Message
    == 1:1 a plan is a mapping of keys to values, not 'hello'
    hello
    == 1:1 this is not a plan: it should begin with
    from: v1
    to: v2
    steps: []
    == 1:1 this is not a plan: it should begin with 'recordpack-migration: 1'
    recordpack-migraton: 1
    from: v1
    to: v2
    steps: []
    == 1:23 this version of RecordPack reads version 1 of a plan
    recordpack-migration: 2
    from: v1
    to: v2
    steps: []
    == 4:1 did you mean 'steps'
    recordpack-migration: 1
    from: v1
    to: v2
    step: []
    == 1:1 'from' is missing: the source version or its schema file
    recordpack-migration: 1
    to: v2
    steps: []
    == 3:5 'from' and 'to' are both 'v1'
    recordpack-migration: 1
    from: v1
    to: v1
    steps: []
    == 2:7 from is a string, not a list
    recordpack-migration: 1
    from: [v1]
    to: v2
    steps: []
    """
}
