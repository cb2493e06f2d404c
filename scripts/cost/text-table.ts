// Rows of text in columns: the first column to the left, the others to the right.
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

/** A row for each of them. `columns`: head → what stands below it. */
export const tableOf = <T>(
  items: readonly T[],
  columns: Readonly<Record<string, (item: T) => string>>,
): string =>
  textTable([Object.keys(columns), ...items.map((item) => Object.values(columns).map((cell) => cell(item)))]);

export const dollars = (value: number): string => `$${value.toFixed(2)}`;
