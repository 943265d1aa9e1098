extension BinaryPlist {
  /// Throws an error if a container contains itself, directly or indirectly.
  ///
  /// Takes linear time, and does not recurse, because untrusted nesting can be as deep as the file
  /// allows.
  func checkAcyclic() throws {
    enum Mark { case unseen, open, done }
    var marks = [Mark](repeating: .unseen, count: objects.count)
    var stack: [(ref: Int, children: [Ref], next: Int)] = []
    for start in objects.indices where marks[start] == .unseen {
      marks[start] = .open
      stack.append((start, objects[start].children, 0))
      while let last = stack.indices.last {
        guard stack[last].next < stack[last].children.count else {
          marks[stack[last].ref] = .done
          stack.removeLast()
          continue
        }
        let child = Int(stack[last].children[stack[last].next])
        stack[last].next += 1
        switch marks[child] {
        case .done: continue
        case .open: throw KeyedArchiveError.cyclicContainers(objectIndex: child)
        case .unseen:
          marks[child] = .open
          stack.append((child, objects[child].children, 0))
        }
      }
    }
  }

  /// Returns the list without unreachable objects, in CoreFoundation's order: an object, its keys,
  /// its values, each followed by its contents.
  ///
  /// - Returns: the list, and for each object its new index; nil if it was removed.
  func compacted() -> (plist: BinaryPlist, places: [Ref?]) {
    var places = [Ref?](repeating: nil, count: objects.count)
    var order: [Ref] = []
    var stack = [top]
    while let ref = stack.popLast() {
      guard places[Int(ref)] == nil else { continue }
      places[Int(ref)] = Ref(order.count)
      order.append(ref)
      stack.append(contentsOf: objects[Int(ref)].children.reversed())
    }
    let renumbered = order.map { objects[Int($0)].mapReferences { places[Int($0)] ?? 0 } }
    return (BinaryPlist(objects: renumbered, top: 0), places)
  }
}

extension BinaryPlist.Object {
  fileprivate func mapReferences(
    _ transform: (BinaryPlist.Ref) -> BinaryPlist.Ref
  ) -> BinaryPlist.Object {
    switch self {
    case .array(let refs): .array(refs.map(transform))
    case .orderedSet(let refs): .orderedSet(refs.map(transform))
    case .set(let refs): .set(refs.map(transform))
    case .dictionary(let entries):
      .dictionary(entries.map { .init(key: transform($0.key), value: transform($0.value)) })
    default: self
    }
  }
}
