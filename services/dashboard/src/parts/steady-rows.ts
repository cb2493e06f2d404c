// The rows of a list that holds still, and how many newer ones it holds back. Pure.

export interface SteadyRows<T> {
  readonly rows: readonly T[];
  readonly held: number;
}

/**
 * `shown` in their places, each as `newest` has it; a row it has no longer, as it was. What `newest` has behind its last known
 * row moves nothing, and follows. The same array where nothing changed.
 */
export function steadyRows<T>(
  shown: readonly T[],
  newest: readonly T[],
  keyOf: (row: T) => string,
): SteadyRows<T> {
  if (shown === newest) return { rows: shown, held: 0 };
  const byKey = new Map(newest.map((row) => [keyOf(row), row]));
  const known = new Set(shown.map(keyOf));
  const lastKnown = newest.findLastIndex((row) => known.has(keyOf(row)));
  const following = shown.length === 0 || lastKnown >= 0 ? newest.slice(lastKnown + 1) : [];
  const rows = [...shown.map((row) => byKey.get(keyOf(row)) ?? row), ...following];
  const held = newest.filter((row) => !known.has(keyOf(row))).length - following.length;
  const isSame = rows.length === shown.length && rows.every((row, at) => row === shown[at]);
  return { rows: isSame ? shown : rows, held };
}
