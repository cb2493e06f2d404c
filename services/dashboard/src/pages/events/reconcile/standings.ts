// How an order may stand at a platform, in words.
import type { Answer } from '#dashboard/app/api.tsx';

export type Reconciliation = Answer<'readReconciliation'>['reconciliation'];
export type Figures = NonNullable<Reconciliation['platforms'][string]>;
export type Standing = keyof Figures;

interface Look {
  readonly name: string;
  readonly sign: string;
  readonly look: string;
  readonly means: string;
}

const bad = { sign: '✖', look: 'text-bad' } as const;

export const LOOKS: Readonly<Record<Standing, Look>> = {
  matched: { name: 'As it should be', sign: '✔', look: 'text-good', means: 'counted once, as uploaded' },
  missing: { ...bad, name: 'Missing', means: 'the platform has none of its events' },
  doubled: { ...bad, name: 'Doubled', means: 'the platform counts it more than once' },
  wrong_value: { ...bad, name: 'Wrong value', means: 'it was sent another value' },
  wrong_currency: { ...bad, name: 'Wrong currency', means: 'it was sent another currency' },
  waiting: { name: 'Waiting', sign: '↻', look: 'text-wait', means: 'on its way, or waits for a retry' },
  withheld: {
    name: 'Withheld',
    sign: '░',
    look: 'text-withheld',
    means: 'kept from the platform by a rule, by consent or as a crawler’s, or of no use to it',
  },
  out_of_range: {
    name: 'Not looked for',
    sign: '–',
    look: 'text-dim',
    means: 'nothing was found, and its time is outside of what was looked at',
  },
};

export const STANDINGS = Object.keys(LOOKS) as Standing[];
const PROBLEMS = ['missing', 'doubled', 'wrong_value', 'wrong_currency'] as const;

/** Orders that are not at the platform as they should be. */
export const problemsOf = (figures: Figures | null): number =>
  PROBLEMS.reduce((sum, standing) => sum + (figures?.[standing] ?? 0), 0);
