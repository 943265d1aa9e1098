/// Returns the index of a name among unique names that are sorted by their UTF-8 bytes.
@inline(__always)
package func sortedIndex(of name: String, count: Int, _ names: (Int) -> String) -> Int? {
  // In a few names, comparing for equality is faster than for order.
  guard count > 16 else {
    for index in 0..<count {
      let other = names(index)
      // `==` rejects most names fast; it also accepts canonically equivalent ones.
      if other == name, other.sameScalars(as: name) { return index }
    }
    return nil
  }
  var (low, high) = (0, count)
  while low < high {
    let middle = low + (high - low) / 2
    let order = compareUTF8(names(middle), name)
    if order == 0 { return middle }
    if order < 0 { low = middle + 1 } else { high = middle }
  }
  return nil
}
