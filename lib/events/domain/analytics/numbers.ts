/** Counts by their names. */
export type Numbers = Record<string, number>;

export function addNumbers(into: Numbers, from: Readonly<Numbers>): void {
  for (const key of Object.keys(from)) into[key] = (into[key] ?? 0) + (from[key] ?? 0);
}
