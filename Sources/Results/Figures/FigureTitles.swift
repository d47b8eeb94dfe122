import Evaluation
import HDF5
import Scoring

/// Gives each figure columns of its own in a group. Two classes may be `x` and `x_lo`, a class may be named
/// like a bound, and two detectors may measure the same in different units.
struct FigureTitles {
  private var names: HDF5Names

  /// - Parameter taken: the other columns of the group.
  init(taken: [String] = []) { names = HDF5Names(taken: taken) }

  /// Returns the columns of the figures by name and unit, in the order of their first occurrence.
  /// - Parameters:
  ///   - rows: the figures of each row; one that a row does not have is undefined.
  ///   - prefix: what the names of the columns begin with.
  ///   - part: what the figures belong to, if not to the score.
  mutating func columns(
    _ rows: [[Figure]], _ form: FigureColumns.Form, prefix: String = "", part: String? = nil
  ) -> [HDF5Column] {
    let figures = rows.enumerated().flatMap { row, figures in figures.map { (row, $0) } }
    return figures.inGroups { [$0.1.name, $0.1.unit] }.flatMap { group in
      let (name, unit) = (group[0].1.name, group[0].1.unit)
      var cells = [Estimate?](repeating: nil, count: rows.count)
      for (row, figure) in group { cells[row] = figure.estimate }
      let title = names.next(prefix + name, endings: FigureColumns.suffixes)
      // The figure of a class may look like the bound of another one.
      let isNamed = title != name || Self.isBound(title)
      let attributes = [
        isNamed ? HDF5Attribute("figure", HDF5Names.text(name)) : nil,
        part.map { HDF5Attribute("part", $0) },
      ]
      return FigureColumns(title, cells, unit: unit).columns(form, attributes.compactMap(\.self))
    }
  }

  private static func isBound(_ title: String) -> Bool {
    FigureColumns.suffixes.contains { !$0.isEmpty && title.hasSuffix($0) }
  }
}
