// Figures against limits. Guarantees: a limit that is broken fails, unless it says why that is known; one that says so and is
// met fails as well; one that cannot be judged (no figure) fails.
import type { Limit, Measured, Size } from './scenarios/scenario.ts';

export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly limit: string;
  readonly word: 'met' | 'BROKEN' | 'known' | 'KNOWN BUT MET';
  readonly known?: string;
  /** How far beyond the limit, as a factor; 1 is at it. */
  readonly strain: number;
}

export function judge(figures: Measured, limits: readonly Limit[], size: Size): readonly Verdict[] {
  return limits
    .filter(({ only }) => only === undefined || only === size)
    .map((limit) => verdictOf(figures, limit));
}

export const isFailure = ({ word }: Verdict): boolean => word === 'BROKEN' || word === 'KNOWN BUT MET';

function verdictOf(figures: Measured, { what, of, atMost, atLeast, known }: Limit): Verdict {
  const value = of(figures);
  const met =
    Number.isFinite(value) &&
    (atMost === undefined || value <= atMost) &&
    (atLeast === undefined || value >= atLeast);
  const limit = atMost === undefined ? `>= ${short(atLeast ?? 0)}` : `<= ${short(atMost)}`;
  const word = known === undefined ? (met ? 'met' : 'BROKEN') : met ? 'KNOWN BUT MET' : 'known';
  return {
    what,
    value,
    limit,
    word,
    strain: strainOf(value, atMost, atLeast),
    ...(known === undefined ? {} : { known }),
  };
}

/** A limit of nothing at all is strained by every one there is. */
function strainOf(value: number, atMost: number | undefined, atLeast: number | undefined): number {
  if (!Number.isFinite(value)) return Number.POSITIVE_INFINITY;
  if (atMost !== undefined) return atMost === 0 ? value + (value > 0 ? 1 : 0) : value / atMost;
  return value === 0 ? Number.POSITIVE_INFINITY : (atLeast ?? 0) / value;
}

export function short(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  if (value !== 0 && Math.abs(value) < 10) return String(Number(value.toPrecision(3)));
  return Math.round(value).toLocaleString('en-US');
}
