// swift-format-ignore-file

/// The style of diagrams.
enum DiagramStyleSheet {
  static let text = #"""
/* Schema diagrams. Only colours come from the page, because a diagram is also a file of its own. */
.diagram text { font-family: var(--mono); fill: var(--text); white-space: pre; }
.diagram .canvas { fill: var(--background); }
.diagram .frame { fill: var(--background); stroke: var(--line); stroke-width: 1; }
.diagram .head { fill: var(--raised); }
.diagram .rule { stroke: var(--line); stroke-width: 1; }
.diagram .name { font-size: 13px; font-weight: 600; }
.diagram .count { font-size: 10px; fill: var(--quiet); text-anchor: end; }
.diagram .field { font-size: 12px; }
.diagram .kind { font-size: 10px; fill: var(--quiet); text-anchor: end; }
.diagram .refers .kind { fill: var(--accent); }
.diagram .system .field { fill: var(--quiet); font-style: italic; }
.diagram .marks { font-size: 9px; font-weight: 700; fill: var(--accent); text-anchor: middle; }
.diagram .sign { font-size: 12px; font-weight: 700; text-anchor: middle; }
.diagram .lock { fill: var(--quiet); }
.diagram .line { fill: none; stroke: var(--quiet); stroke-width: 1.4; }
.diagram .tip { fill: var(--quiet); }
.diagram .guess .line { stroke-dasharray: 5 4; }
.diagram .guess .tip { stroke: var(--quiet); stroke-width: 1.2; }
.diagram a:hover .frame { stroke: var(--accent); }
.diagram a:hover .name { fill: var(--accent); }
.diagram .added .frame { stroke: var(--added); }
.diagram .added .head, .diagram .row.added .mark { fill: var(--added-background); }
.diagram .added .name, .diagram .row.added .sign, .diagram .row.added .field { fill: var(--added); }
.diagram .removed .frame { stroke: var(--removed); }
.diagram .removed .head, .diagram .row.removed .mark { fill: var(--removed-background); }
.diagram .removed .name, .diagram .row.removed .sign, .diagram .row.removed .field { fill: var(--removed); }
.diagram .removed .name, .diagram .row.removed .field { text-decoration: line-through; }
.diagram .changed .frame { stroke: var(--changed); }
.diagram .row.changed .mark { fill: var(--changed-background); }
.diagram .row.changed .sign, .diagram .row.changed .field { fill: var(--changed); }
.diagram .edge.added .line { stroke: var(--added); }
.diagram .edge.added .tip { fill: var(--added); stroke: var(--added); }
.diagram .edge.removed .line { stroke: var(--removed); }
.diagram .edge.removed .tip { fill: var(--removed); stroke: var(--removed); }
.diagram .edge.guess .tip { fill: var(--background); }
.diagram .edge:hover .line { stroke: var(--accent); stroke-width: 2.2; }
.diagram .edge:hover .tip { fill: var(--accent); stroke: var(--accent); }
.diagram .legend { font-size: 10px; fill: var(--quiet); }
figure.drawing { overflow-x: auto; max-width: 100%; border: 1px solid var(--line); border-radius: 8px; }
figure.drawing svg { display: block; max-width: none; }

"""#
}
