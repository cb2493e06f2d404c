// How much of clean addresses is changed, and how much of what is personal is found. One seed decides all chance.
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import { toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';
import { createSeededRandom, type SeededRandom } from '#test/support/memory/random.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { personalValue } from './personal-values.ts';
import { ENCODINGS, eventWith, PLACES } from './places.ts';
import { shopAddress, shopTitle } from './shop-addresses.ts';

export interface Changed {
  readonly share: number;
  readonly examples: readonly string[];
}

const CLEAN = {
  addresses: (random: SeededRandom) => ({ eventSourceUrl: shopAddress(random) }),
  titles: (random: SeededRandom) => ({ items: [{ id: '1', quantity: '1', name: shopTitle(random) }] }),
} as const;

/** Of `count` clean addresses or titles. */
export function changedShare(count: number, seed: string, what: keyof typeof CLEAN = 'addresses'): Changed {
  const random = createSeededRandom(`${seed}/${what}`);
  const base = sampleEvent();
  const changed: string[] = [];
  for (let i = 0; i < count; i++) {
    const clean = CLEAN[what](random);
    const event: NormalizedEvent = { ...base, ...clean };
    if (toOutgoing(event) !== event) changed.push(JSON.stringify(clean));
  }
  return { share: changed.length / count, examples: changed.slice(0, 10) };
}

export interface Recall {
  readonly found: Readonly<Record<string, number>>;
  /** Of each encoding the first that were missed. */
  readonly missed: readonly string[];
}

/** By encoding, the share of values that are not in what leaves, over all places and kinds. */
export function recall(perPlace: number, seed: string): Recall {
  const found: Record<string, number> = {};
  const missed: string[] = [];
  for (const [encoding, encode] of Object.entries(ENCODINGS)) {
    const random = createSeededRandom(`${seed}/${encoding}`);
    let hits = 0;
    let all = 0;
    for (const [place, put] of Object.entries(PLACES))
      for (let i = 0; i < perPlace; i++) {
        const { value, names, kind } = personalValue(random);
        const written = encode(value);
        // Shorter texts are ordinary words to a reader of base64.
        if (encoding === 'base64url' && written.length < 16) continue;
        all += 1;
        const outgoing = toOutgoing(eventWith(put, written, names === undefined ? '' : random.pick(names)));
        const left = JSON.stringify(outgoing);
        // An address within another is encoded once more.
        const forms = [written, encodeURIComponent(written)].map((form) => JSON.stringify(form).slice(1, -1));
        if (!forms.some((form) => left.includes(form))) hits += 1;
        else missed.push(`${encoding}, ${place}, ${kind}: ${value} ${names?.join() ?? ''}`);
      }
    found[encoding] = hits / all;
  }
  return { found, missed };
}
