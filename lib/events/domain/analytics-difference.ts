// Where two counts of the same slot disagree: every figure, whatever it counts.
import type { SlotCounters } from './analytics.ts';

export interface FigureDifference {
  /** Dotted, e.g. `revenue.EUR.minor`. */
  readonly figure: string;
  readonly left: string;
  readonly right: string;
}

/** A figure one of them lacks is 0 there. In the order of the figures' names. */
export function countersDifference(left: SlotCounters, right: SlotCounters): readonly FigureDifference[] {
  const [a, b] = [figuresOf(left), figuresOf(right)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .sort()
    .map((figure) => ({ figure, left: a.get(figure) ?? '0', right: b.get(figure) ?? '0' }))
    .filter((difference) => difference.left !== difference.right);
}

/** Every number by its dotted name. */
export function figuresOf(counters: SlotCounters): ReadonlyMap<string, string> {
  const figures = new Map<string, string>();
  const visit = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) figures.set(path, String(value));
    else
      for (const [key, member] of Object.entries(value)) visit(path === '' ? key : `${path}.${key}`, member);
  };
  visit('', counters);
  return figures;
}
