import Foundation

/// The words of a text, as a text search compares them: without case and diacritics.
///
/// A word is a sequence of letters, digits and their marks; an ideograph is a word by itself. The
/// server's own division into words is not known. Letters are folded by properties that Unicode
/// guarantees not to change, so that words in an index are the same on every platform.
package enum TextTokens {
  /// Returns the words of a text, each once, in the order of their first occurrence.
  package static func words(of text: String) -> [String] {
    var words: [String] = []
    var known: Set<String> = []
    var word = ""
    func end() {
      if !word.isEmpty, known.insert(word).inserted { words.append(word) }
      word = ""
    }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    for scalar in (isASCII ? text : text.decomposedStringWithCompatibilityMapping).unicodeScalars {
      let properties = scalar.properties
      if properties.generalCategory == .nonspacingMark {
        // A diacritic, such as the acute accent after the e of é.
        continue
      } else if properties.isIdeographic {
        end()
        word.unicodeScalars.append(scalar)
        end()
      } else if scalar == "\u{3C2}" {
        // The sigma at the end of a word has no upper case of its own.
        word += "\u{3C3}"
      } else if properties.isAlphabetic || properties.numericType != nil {
        word += properties.lowercaseMapping
      } else {
        end()
      }
    }
    end()
    return words
  }

  /// Returns the keys of a text's words in an index.
  ///
  /// Other words than ASCII share one key, because tables of characters differ between platforms
  /// for new characters.
  package static func keys(of text: String) -> [IndexKey] {
    var keys: [IndexKey] = []
    var hasOther = false
    for word in words(of: text) {
      if let key = key(ofWord: word) {
        keys.append(key)
      } else if !hasOther {
        hasOther = true
        keys.append(otherKey)
      }
    }
    return keys
  }

  /// Returns the key of a word; nil for one that is not ASCII.
  package static func key(ofWord word: String) -> IndexKey? {
    guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return IndexKey(bytes: [IndexKey.Kind.token.rawValue] + word.utf8)
  }

  /// The key of all words that are not ASCII.
  package static let otherKey = IndexKey(bytes: [IndexKey.Kind.otherTokens.rawValue])
}
