// What platforms said later of events that they had accepted, as it is counted: only what differs from a confirmation, so that
// the usual answer counts nothing anew. Pure.
import type { Delivery } from '../deliveries/delivery.ts';

/** `rejected:<reason>`, `partly:<reason>` and `never:<reason>` → events; `share:<reason>`, of `partly` → thousandths of a rejected event. */
export type LaterWords = Readonly<Record<string, number>>;

/** Nothing for most deliveries. */
export function laterWords({ confirmation, reason = '' }: Delivery): readonly (readonly [string, number])[] {
  switch (confirmation?.word) {
    case 'rejected':
      return [[`rejected:${reason}`, 1]];
    case 'never':
      return [[`never:${confirmation.reason ?? ''}`, 1]];
    case 'partly': {
      const { rejected = 0, of = 0, reason: why = '' } = confirmation;
      const share = of === 0 ? 0 : Math.round((1_000 * rejected) / of);
      return [[`partly:${why}`, 1], ...(share === 0 ? [] : [[`share:${why}`, share] as const])];
    }
    default:
      return [];
  }
}

export interface Later {
  readonly word: 'rejected' | 'partly' | 'never';
  readonly reason: string;
  readonly events: number;
  /** Of `partly`, where the platform counts them: so many of the events. */
  readonly rejected?: number;
}

const WORD = /^(rejected|partly|never):(.*)$/;

/** Most events first. */
export function laterOf(parts: readonly LaterWords[]): readonly Later[] {
  const words: Record<string, number> = Object.create(null);
  for (const part of parts)
    for (const [word, count] of Object.entries(part)) words[word] = (words[word] ?? 0) + count;
  const all = Object.entries(words).flatMap(([key, events]): Later[] => {
    const [, word, reason = ''] = WORD.exec(key) ?? [];
    if (word === undefined) return [];
    const share = word === 'partly' ? words[`share:${reason}`] : undefined;
    const rejected = share === undefined ? {} : { rejected: Math.max(1, Math.round(share / 1_000)) };
    return [{ word: word as Later['word'], reason, events, ...rejected }];
  });
  return all.sort((a, b) => b.events - a.events || (a.reason < b.reason ? -1 : 1));
}
