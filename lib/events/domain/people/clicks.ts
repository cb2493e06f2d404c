// The click ids that were seen with one identifier of a person: what an order that came without any is completed from. Pure.
// Guarantees: of an id the newest click; none is kept longer than clicks count, or than the merchant keeps personal data; an
// identifier that many people share is not written at each of their clicks.
import * as z from 'zod';
import { readTextBy } from '#lib/core/record/read-by-schema.ts';
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { isWithinWindow } from '../analytics/attribution.ts';
import type { NormalizedEvent } from '../event/normalized-event.ts';
import { isClickId } from '../identity/click-ids.ts';
import type { BrowserIdKey } from '../identity/identity.ts';

export interface SeenClick {
  readonly key: BrowserIdKey;
  readonly id: string;
  /** When it was clicked, as far as known: else when the event happened that carried it first. */
  readonly atMs: number;
}

export interface PersonClicks {
  /** Newest first; of each key one. */
  readonly clicks: readonly SeenClick[];
  /** For how long personal data was kept when they were written. */
  readonly keptDays: number;
}

export const NO_CLICKS: PersonClicks = { clicks: [], keptDays: 0 };

/** Together, so that an identifier's clicks are one write unit: the newest that fit, the newest of all in any case. */
const IDS_MAX_CHARS = 500;

/** Asked of both: of the event whose click it is, and of the order that would go out with it. */
export const allowsJoining = ({ ad_storage, ad_user_data }: NormalizedEvent['consent']): boolean =>
  ad_storage !== 'denied' && ad_user_data !== 'denied';

/** The same object where nothing has to be written. `writtenAtMs`: when they were last written, by the time of receipt. */
export function withClicks(
  known: PersonClicks,
  carried: readonly SeenClick[],
  { receivedAtMs, writtenAtMs, keptDays }: ClicksWrite,
): PersonClicks {
  const fresh = carried.filter((click) => !isKnown(known, click));
  if (fresh.length === 0 || isTooSoon(receivedAtMs, writtenAtMs)) return known;
  const others = keptClicks(known, receivedAtMs).filter(
    ({ key }) => !fresh.some((click) => click.key === key),
  );
  const newest = [...fresh, ...others].sort((one, other) => other.atMs - one.atMs);
  return { clicks: fitting(newest), keptDays };
}

/** Each at the time at which its id was seen first. */
export const firstSeen = (carried: readonly SeenClick[], { clicks }: PersonClicks): readonly SeenClick[] =>
  carried.map((click) => {
    const known = clicks.find(
      ({ key, id }) => key === click.key && clickText({ key, id }) === clickText(click),
    );
    return known === undefined || known.atMs > click.atMs ? click : known;
  });

/** Or a later one is. */
export const isKnown = ({ clicks }: PersonClicks, { key, id, atMs }: SeenClick): boolean =>
  clicks.some(
    (known) => known.key === key && (known.atMs > atMs || clickText(known) === clickText({ key, id })),
  );

/** `fb.1.<milliseconds>.<fbclid>` is made at each event whose address has the `fbclid`: the first of a click stays. */
export const clickText = ({ key, id }: Pick<SeenClick, 'key' | 'id'>): string =>
  (key === 'fbc' && id.split('.').slice(3).join('.')) || id;

export interface ClicksWrite {
  readonly receivedAtMs: number;
  readonly writtenAtMs: number | undefined;
  readonly keptDays: number;
}

/** Where another write came less than a minute before, or later. */
export const isTooSoon = (receivedAtMs: number, writtenAtMs: number | undefined): boolean =>
  writtenAtMs !== undefined && receivedAtMs < writtenAtMs + MINUTE_MS;

/** Those that may still be used. */
export const keptClicks = ({ clicks, keptDays }: PersonClicks, atMs: number): readonly SeenClick[] =>
  clicks.filter((click) => isWithinWindow(click, atMs) && atMs - click.atMs <= keptDays * DAY_MS);

function fitting(newest: readonly SeenClick[]): readonly SeenClick[] {
  let left = IDS_MAX_CHARS;
  return newest.filter(({ id }, index) => {
    left -= id.length;
    return index === 0 || left >= 0;
  });
}

/** `k`: days kept. `c`: key, id, when. */
const WRITTEN = z.looseObject({
  k: z.number(),
  c: z.array(z.tuple([z.string(), z.string(), z.number()])),
});

export const writeClicks = ({ clicks, keptDays }: PersonClicks): string =>
  JSON.stringify({ k: keptDays, c: clicks.map(({ key, id, atMs }) => [key, id, atMs]) });

/** Null where it is no such text. Keys that are not known here are left out. */
export function readClicks(text: string): PersonClicks | null {
  const read = readTextBy(WRITTEN, text);
  if (read === null) return null;
  const { k, c } = read;
  const clicks = c.flatMap(([key, id, atMs]) =>
    isClickId(key) ? [{ key: key as BrowserIdKey, id, atMs }] : [],
  );
  return { clicks, keptDays: k };
}
