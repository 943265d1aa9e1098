import RecordModel
import RecordSchema

/// What the values of a field have in common, without any of them.
struct FieldCensus {
  /// The rule that suits the field's name.
  private let guess: ValueRule
  /// The number of records with a value.
  private(set) var values = 0
  private(set) var lengths = CountHistogram()
  private(set) var listLengths = CountHistogram()
  private(set) var sizes = CountHistogram()
  /// The exponent of the smallest power of ten that is not below any number.
  private(set) var digits = 0
  private(set) var isFlag = true
  private(set) var isNegative = false
  /// The number of texts, and of those that are as the field's name says.
  private(set) var texts = 0
  private(set) var fittingTexts = 0
  /// Whether all numbers could be latitudes or longitudes.
  private(set) var isDegrees = true
  /// The number of references, and of those to the record's parent.
  private(set) var references = 0
  private(set) var parentReferences = 0
  /// Hashes of records that the field refers to.
  private(set) var targets: [UInt64] = []
  /// Digests of some files.
  private(set) var files: Set<String> = []

  private static let maxTargets = 64
  private static let maxFiles = 8

  init(guess: ValueRule = .guess) { self.guess = guess }

  /// - Parameter parent: The parent of the record.
  mutating func add(_ value: RecordValue, parent: RecordID?) {
    values += 1
    if let elements = value.elements {
      listLengths.add(elements.count)
      for element in elements { addSingle(element, parent) }
    } else if case .emptyList = value {
      listLengths.add(0)
    } else {
      addSingle(value, parent)
    }
  }

  private mutating func addSingle(_ value: RecordValue, _ parent: RecordID?) {
    switch value {
    case .string(let text):
      lengths.add(text.unicodeScalars.count)
      texts += 1
      if TextFit.isLike(guess, text) { fittingTexts += 1 }
    case .bytes(let data): lengths.add(data.count)
    case .int64(let number):
      isFlag = isFlag && (0...1).contains(number)
      isNegative = isNegative || number < 0
      digits = max(digits, Self.power(above: number.magnitude))
      isDegrees = false
    case .double(let number) where number.isFinite:
      isFlag = false
      isNegative = isNegative || number < 0
      digits = max(digits, Self.power(above: UInt64(min(number.magnitude.rounded(.up), 1e15))))
      isDegrees = isDegrees && number.magnitude <= (guess == .coordinate(.latitude) ? 90 : 180)
    case .asset(let asset):
      if let size = asset.size { sizes.add(Int(clamping: size)) }
      if files.count < Self.maxFiles, let digest = asset.sha256 { files.insert(digest) }
    case .reference(let reference):
      references += 1
      if reference.recordID == parent { parentReferences += 1 }
      if targets.count < Self.maxTargets {
        targets.append(RecipeLearner.hash(reference.recordID))
      }
    default: break
    }
  }

  private static func power(above number: UInt64) -> Int {
    number > 1 ? String(number - 1).utf8.count : 0
  }
}
