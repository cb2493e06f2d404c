// The newest clicks that were seen with one identifier of a person: which platform, when, and a digest that says which click it
// was. What an order's last click is found by. Pure.
// Guarantees: a click whose id comes again, with every page of a visit, is one click, at its first time; at most `RECENT_MAX`.
import { hash } from 'node:crypto';
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { Touch } from '../analytics/attribution.ts';
import { clickText, type SeenClick } from './clicks.ts';

export interface RecentClick extends Touch {
  /** Of its id: other clicks of the same person have another. */
  readonly digest: string;
}

/** Older ones are forgotten; the first stays known apart from them. With more, an item would outgrow a write unit. */
export const RECENT_MAX = 10;
const DIGEST_CHARS = 5;

export const recentClick = (platform: string, click: SeenClick): RecentClick => ({
  ...{ platform, atMs: click.atMs },
  digest: hash('sha256', `${click.key} ${clickText(click)}`, 'base64url').slice(0, DIGEST_CHARS),
});

/** Those of `seen` that are not known, put among the known ones, newest first. The same array where there is none. */
export function withRecent(
  known: readonly RecentClick[],
  seen: readonly RecentClick[],
): readonly RecentClick[] {
  const fresh = seen.filter((click) => !isAmong(known, click));
  if (fresh.length === 0) return known;
  return [...known, ...fresh].sort((one, other) => other.atMs - one.atMs).slice(0, RECENT_MAX);
}

/** A person clicks no more often; an identifier that many people share is not written at each of their clicks. */
const OF_MINUTE_MAX = 3;

/** Whether there is a new click in whose minute few are known: it is noted at once, however late the last write was. */
export const isWithFew = (known: readonly RecentClick[], seen: readonly RecentClick[]): boolean =>
  seen.some((click) => {
    const near = known.filter(({ atMs }) => Math.abs(atMs - click.atMs) < MINUTE_MS);
    return near.length < OF_MINUTE_MAX && !isAmong(known, click);
  });

export const isAmong = (known: readonly RecentClick[], { digest, platform }: RecentClick): boolean =>
  known.some((one) => one.digest === digest && one.platform === platform);

/** Newest first, each as `<platform> <milliseconds, in base 36> <digest>`: half of what JSON takes, of each person for ninety days. */
export const writeRecent = (clicks: readonly RecentClick[]): string =>
  clicks.map(({ platform, atMs, digest }) => `${platform} ${atMs.toString(36)} ${digest}`).join(',');

/** Without those that cannot be read: orders are credited by what else is known. */
export const readRecent = (text = ''): readonly RecentClick[] =>
  text.split(',').flatMap((click) => {
    const [platform, at = '', digest] = click.split(' ');
    const atMs = Number.parseInt(at, 36);
    return platform === undefined || digest === undefined || !Number.isSafeInteger(atMs)
      ? []
      : [{ platform, atMs, digest }];
  });
