import RecordCoding
import RecordSchema

/// Whole numbers of a distribution, for integers and doubles.
struct IntegerValues: GeneratedValues {
  let rule: CountRule

  init(_ rule: CountRule) { self.rule = rule }
  init(_ range: ClosedRange<Int>) { self.init(CountRule(range)) }

  static let noun = "whole numbers"
  static let sources = [
    ValueSource("range", options: ["decimals"]) { node, members in
      let text = node.node.scalar?.string.replacing("..", with: " ") ?? ""
      if members["decimals"] == nil, !text.contains("."), !text.contains("e") {
        return IntegerValues(try node.integers("range", in: .min ... .max))
      }
      return try DecimalValues(node, members)
    },
    ValueSource("weights") { node, _ in
      IntegerValues(try node.weights("a field", in: .min ... .max))
    },
  ]

  var members: [(name: String, text: String)] {
    if case .weights = rule { return [("weights", rule.weightsYAML)] }
    return [("range", rule.yaml)]
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.isNumber }

  /// The greatest whole number up to which doubles have all.
  static let lastExact = 1 << 53

  func distinctValues(of type: CloudSchema.FieldType) -> Int? {
    if case .weights = rule { return nil }
    let exact = -Self.lastExact...Self.lastExact
    guard !type.isDouble || rule.bounds.clamped(to: exact) == rule.bounds else { return nil }
    return rule.bounds.size
  }

  private static let edges = [0, 1, -1, .max, .min, 1 << 31, -1 << 31 - 1, 1 << 53 + 1]

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let (isDouble, isFree, bounds) = (scope.isDouble, scope.isFree, rule.bounds)
    let sampler = CountSampler(rule)
    let shuffle = scope.shuffle(bounds.size)
    func append(_ number: Int, to buffer: ByteBuffer) -> Bool {
      if isDouble { return CanonicalNumber.append(Double(number), to: buffer) }
      buffer.appendInteger(Int64(number))
      return true
    }
    return ValueGenerator(
      append: { context, buffer in
        append(
          shuffle.map { bounds.lowerBound &+ $0.place(of: context.number) }
            ?? sampler.sample(&context.random), to: buffer)
      },
      edge: { context, buffer in
        guard shuffle == nil else { return false }
        guard isFree else {
          let isLow = context.random.next() & 1 == 0
          return append(isLow ? bounds.lowerBound : bounds.upperBound, to: buffer)
        }
        return append(Self.edges[context.random.below(Self.edges.count)], to: buffer)
      })
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    if field.isFlag { return IntegerValues(0...1) }
    return field.areDates(like: Double(rule.bounds.upperBound))
      ? self : IntegerValues(field.wholeRange)
  }
}

/// Decimal numbers of a range.
struct DecimalValues: GeneratedValues {
  let range: ClosedRange<Double>
  let places: Int

  init(_ range: ClosedRange<Double>, places: Int) { (self.range, self.places) = (range, places) }

  fileprivate init(_ node: YAMLNode, _ members: YAMLMembers) throws {
    places = try members["decimals"]?.integer("decimals", in: 0...9) ?? 2
    range = try node.decimals("range")
    let most = 1e15 / Self.scale(places)
    guard range.lowerBound >= -most, range.upperBound <= most else {
      throw node.error("with \(places) decimals, a range is within -\(most)..\(most)")
    }
    try node.check(range, hasPlaces: places)
  }

  static let noun = "decimal numbers"

  var members: [(name: String, text: String)] {
    [
      ("range", "\(CountRule.text(range.lowerBound))..\(CountRule.text(range.upperBound))"),
      ("decimals", "\(places)"),
    ]
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.isDouble }

  func distinctValues(of type: CloudSchema.FieldType) -> Int? { Self.units(range, places).size }

  /// Ten to the power of a number of places.
  static func scale(_ places: Int) -> Double { (0..<places).reduce(1.0) { scale, _ in scale * 10 } }

  /// Returns a range of decimals in units of the last place; a range without such a decimal gives one
  /// outside.
  static func units(_ range: ClosedRange<Double>, _ places: Int) -> ClosedRange<Int> {
    let scale = scale(places)
    let low = Int((range.lowerBound * scale).rounded(.up))
    let high = Int((range.upperBound * scale).rounded(.down))
    if low <= high { return low...high }
    // The products are rounded: 0.07 * 100 is above 7.
    let nearest = Int((range.lowerBound * scale).rounded())
    return range.contains(Double(nearest) / scale) ? nearest...nearest : low...low
  }

  private static let edges: [Double] = [
    0, -0.0, 0.1 + 0.2, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude,
    -Double.greatestFiniteMagnitude, 1e21, 1e-7,
    9_007_199_254_740_992, 0.1,
  ]

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let (units, scale, isFree) = (Self.units(range, places), Self.scale(places), scope.isFree)
    let shuffle = scope.shuffle(units.size)
    return ValueGenerator(
      append: { context, buffer in
        let number =
          shuffle.map { units.lowerBound &+ $0.place(of: context.number) }
          ?? context.random.number(in: units)
        return CanonicalNumber.append(Double(number) / scale, to: buffer)
      },
      edge: { context, buffer in
        guard shuffle == nil else { return false }
        guard isFree else {
          let end = context.random.next() & 1 == 0 ? units.lowerBound : units.upperBound
          return CanonicalNumber.append(Double(end) / scale, to: buffer)
        }
        return CanonicalNumber.append(
          Self.edges[context.random.below(Self.edges.count)], to: buffer)
      })
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    field.areDates(like: range.upperBound) ? self : field.decimals(places: places)
  }
}

/// Numbers that grow: over all records of the type, or over the children of a parent.
struct SequenceValues: GeneratedValues {
  var start = 0
  var step = 1
  /// Whether the number is that of the record among the children of its parent.
  var isPosition = false

  static let position = SequenceValues(isPosition: true)

  static let noun = "whole numbers"
  static let sources = [
    ValueSource("sequence", options: ["step"]) { node, members in
      SequenceValues(
        start: try node.integer("sequence", in: -1 << 60...1 << 60),
        step: try members["step"]?.integer("step", in: -1 << 30...1 << 30) ?? 1)
    }
  ]
  static var words: [(word: String, kind: any GeneratedValues)] { [("position", position)] }

  var members: [(name: String, text: String)] {
    if isPosition { return [("kind", "position")] }
    return [("sequence", "\(start)")] + (step == 1 ? [] : [("step", "\(step)")])
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.isNumber }

  func distinctValues(of type: CloudSchema.FieldType) -> Int? {
    if isPosition { return nil }
    if step == 0 { return 1 }
    guard type.isDouble else { return .max }
    let last = IntegerValues.lastExact
    let room = step > 0 ? last - start : last + start
    return room < 0 || abs(start) > last ? 0 : room / abs(step) + 1
  }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let isDouble = scope.isDouble
    return ValueGenerator { context, buffer in
      let number = start &+ (isPosition ? context.spot.position : context.number) &* step
      if isDouble { return CanonicalNumber.append(Double(number), to: buffer) }
      buffer.appendInteger(Int64(number))
      return true
    }
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    // Some numbers may be left out, or begin later.
    let range = field.wholeRange
    return range.lowerBound == 0 && range.upperBound <= 10 * max(1, surroundings.records)
      ? self : IntegerValues(range)
  }
}

extension CloudSchema.FieldType {
  fileprivate var isNumber: Bool { [.int64, .double, .number].contains(primitive) }
}

extension ClosedRange<Int> {
  /// The number of numbers, at most `Int.max`.
  var size: Int {
    let (span, overflow) = upperBound.subtractingReportingOverflow(lowerBound)
    return overflow || span == .max ? .max : span + 1
  }
}
