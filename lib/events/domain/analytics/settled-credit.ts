// Credit that was settled after a row was written: what purchases and refunds of one counted slot are credited to instead of what their
// rows say. It is stored with the slot's counters and put in place of the rows' own credit by each count of them: setting it once more,
// or counting once more, changes nothing. Pure.
import * as z from 'zod';
import type { NormalizedRow } from '../event/row.ts';
import type { OrderCredit } from './attribution.ts';

export type Credited = Pick<OrderCredit, 'touch' | 'last'>;

/** Ingest id of a row → `<first>`, or `<first> <last>` where the last click was another platform's. */
export const SETTLED_CREDITS = z.record(z.string(), z.string());
export type SettledCredits = Readonly<z.output<typeof SETTLED_CREDITS>>;

export interface Settled {
  /** Moves with every write of them; 0: none was written. */
  readonly revision: number;
  readonly credits: SettledCredits;
}

export const NOT_SETTLED: Settled = { revision: 0, credits: {} };

/** Of one slot: some 70 KB packed, beside its counters. What exceeds it stays as it is, and is reported. */
export const SETTLED_MAX = 5_000;

export const creditText = ({ touch, last = touch }: Credited): string =>
  last === touch ? touch : `${touch} ${last}`;

export function creditIn(text: string): Credited {
  const [touch = text, last] = text.split(' ');
  return last === undefined ? { touch } : { touch, last };
}

/** The credit of a row as it counts: a purchase's own, a refund's that of its order. Null for other rows. */
export const creditOfRow = ({ event }: Pick<NormalizedRow, 'event'>): Credited | null =>
  event.credit ?? event.refund ?? null;

/** Of several slots; no row is in two of them. */
export const settledIn = (slots: readonly { readonly settled?: Settled }[]): SettledCredits =>
  Object.assign({}, ...slots.map(({ settled = NOT_SETTLED }) => settled.credits));

/** The same row where nothing was settled of it. */
export function withSettled(row: NormalizedRow, settled: SettledCredits): NormalizedRow {
  const text = Object.hasOwn(settled, row.ingestId) ? settled[row.ingestId] : undefined;
  if (text === undefined) return row;
  const { credit, refund, ...event } = row.event;
  return {
    ...row,
    event: {
      ...event,
      ...(credit === undefined ? {} : { credit: credited(credit, text) }),
      ...(refund === undefined ? {} : { refund: credited(refund, text) }),
    },
  };
}

function credited<C extends Credited>({ touch: _t, last: _l, ...rest }: C, text: string) {
  return { ...rest, ...creditIn(text) };
}
