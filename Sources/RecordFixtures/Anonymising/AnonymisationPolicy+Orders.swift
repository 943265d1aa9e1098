import Foundation
import RecordSchema

extension AnonymisationPolicy {
  /// Reads the fields whose made-up values are in an order.
  mutating func readOrders(_ node: YAMLNode?) throws {
    for (key, value) in try node?.members("'orders'").pairs ?? [] {
      let type = try key.text("a record type")
      let lists = value.node.scalar != nil ? [value] : try value.elements("the orders of \(type)")
      for list in lists {
        let text = try list.text("an order")
        let fields = text.components(separatedBy: "<=").map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        guard fields.count > 1, fields.allSatisfy({ !$0.isEmpty }),
          Set(fields).count == fields.count
        else { throw list.error("an order is such as start <= end, not \(list.kind)") }
        for field in fields { locations["\(type).\(field)"] = list.location }
        let found = fields.map { namedRule(for: $0, of: type) }
        guard let rule = found.first ?? nil, rule.rule.canBeOrdered,
          found.allSatisfy({ $0?.rule == rule.rule && $0?.parameter == rule.parameter }),
          rule.rule != .date || rule.words.first.map({ DateForm(pattern: $0).isSortable }) ?? true
        else {
          throw list.error(
            "the fields of an order have one rule, with the same range: date, number, integer or "
              + "decimal; dates in texts begin with the year")
        }
        orders[type, default: []].append(fields)
        guard chains(of: type) != nil else {
          throw list.error(
            "the order \(list.kind) contradicts another one of \(type): remove one of them")
        }
      }
    }
  }

  /// Returns the orders of a type, with the orders that have a field in common as one; nil if they contradict each
  /// other.
  func chains(of recordType: String) -> [[String]]? {
    var groups: [[[String]]] = []
    for order in orders.value(of: recordType) ?? [] where !order.isEmpty {
      let joined = groups.filter { $0.contains { !Set($0).isDisjoint(with: order) } }
      groups.removeAll { joined.contains($0) }
      groups.append(joined.flatMap(\.self) + [order])
    }
    let chains = groups.compactMap(Self.chain)
    return chains.count == groups.count ? chains : nil
  }

  /// Returns the fields of all orders in one order; nil if the orders contradict each other.
  private static func chain(_ orders: [[String]]) -> [String]? {
    var (rest, chain) = (orders, [String]())
    while !rest.isEmpty {
      // Next is a field that stands behind no other one.
      let next = rest.first { order in rest.allSatisfy { !$0.dropFirst().contains(order[0]) } }?[0]
      guard let next else { return nil }
      chain.append(next)
      rest = rest.map { $0[0] == next ? Array($0.dropFirst()) : $0 }.filter { !$0.isEmpty }
    }
    return chain
  }
}

extension AnonymisationRule {
  /// Whether the replacements do not depend on the values, and have an order.
  fileprivate var canBeOrdered: Bool { [.date, .number, .integer, .decimal].contains(self) }
}
