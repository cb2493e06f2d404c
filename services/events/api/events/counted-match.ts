// What a list looks for, asked of what is known of events without their rows: of counters, and of the manifest of a batch with
// its fates. Never false of what holds an event that the filter of rows takes.
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { OTHER_SOURCES, rowsIn } from '#lib/events/domain/analytics/sum.ts';
import { platformOf } from '#lib/events/domain/connections/target.ts';
import type { ManifestRow } from '#lib/events/domain/deliveries/batch.ts';
import { isCode } from '#lib/events/domain/deliveries/code.ts';
import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryState,
  TERMINAL_STATES,
} from '#lib/events/domain/deliveries/delivery.ts';
import { type Outcome, outcomeOf } from '#lib/events/domain/deliveries/outcome.ts';
import { canonicalEventName, type EventName } from '#lib/events/domain/event/names.ts';
import { NOT_CONNECTED, VERDICT_CODES } from '#lib/events/pipeline/verdicts.ts';
import { ENDED, PROCESSING, SLUGS, type STATUSES } from '#lib/events/routes/events.ts';

export interface Wanted {
  readonly connection_id?: string | undefined;
  readonly platform?: string | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly outcome?: Outcome | undefined;
  readonly code?: string | undefined;
  readonly event_name?: string | undefined;
  readonly source?: string | undefined;
  readonly test?: 'true' | 'false' | undefined;
}

export interface CountedMatch {
  mayHold(counters: BucketCounters): boolean;
  /** At least so many of them are meant, as the overview counts; absent or undefined where counters do not say it. */
  readonly countIn?: ((counters: BucketCounters) => number | undefined) | undefined;
  /**
   * `counters`: of its bucket once that was over; null before. `fateAt`: its delivery at one of its targets; undefined where it cannot be
   * read.
   */
  mayBe(
    row: ManifestRow,
    counters: BucketCounters | null,
    fateAt: (target: string) => Fate | undefined,
  ): boolean;
}

export type Fate = Delivery | { readonly state: 'QUEUED' };

/** Null where neither counters nor manifests say anything of what is wanted. */
export function createCountedMatch(asked: Wanted): CountedMatch | null {
  // Of one connection only the names and sources are asked of counters: it may hold what they do not tell apart.
  const { connection_id, event_name, source: from } = asked;
  const wanted = connection_id === undefined ? asked : { event_name, source: from };
  const { platform, source, code } = wanted;
  const name = wanted.event_name === undefined ? undefined : canonicalEventName(wanted.event_name);
  const fits = wordFilter(wanted);
  if (name === undefined && source === undefined && fits === null && asked.test !== 'true') return null;
  const slugs = platform === undefined ? SLUGS : [platform];
  /** What is said of events of this name at the platform; null: of some it was not known when they were counted. */
  const wordsOf = ({ byName, deliveries }: BucketCounters, slug: string, one: string) => {
    // A platform that did not exist when they were counted was not connected either.
    const counted = (deliveries[slug] ?? Object.values(deliveries)[0])?.[one] ?? {};
    const words = Object.entries(counted).filter(([, count]) => count > 0);
    const known = words.reduce((sum, [, count]) => sum + count, 0);
    // Not normalized when it was counted: it may have come to anything since.
    if (known < (byName[one] ?? 0)) return null;
    return slug in deliveries ? words.map(([word]) => word) : [NOT_CONNECTED];
  };
  const holdsFate = (counters: BucketCounters): boolean => {
    if (fits === null) return true;
    const names = name === undefined ? Object.keys(counters.byName) : [name];
    return slugs.some((slug) => {
      const holdsEnded = code === undefined || codeCount(code, slug, counters) !== 0;
      return names.some(
        (one) =>
          wordsOf(counters, slug, one)?.some((word) => fits(word) && (holdsEnded || !isEnded(word))) ?? true,
      );
    });
  };
  const countIn = connection_id === undefined && asked.test !== 'true' ? counterOf(wanted, name) : null;
  return {
    ...(countIn === null ? {} : { countIn }),
    mayHold(counters) {
      const { bots, merged, replays = 0, tests = 0, byName, bySource } = counters;
      if (asked.test === 'true') return tests > 0;
      // What is counted in no other figure.
      if (
        merged > 0 ||
        replays + tests > 0 ||
        (bots > 0 && (fits === null || ['bot', 'QUEUED', NOT_CONNECTED].some(fits)))
      )
        return true;
      if (name !== undefined && (byName[name] ?? 0) === 0) return false;
      if (source !== undefined && (bySource[source] ?? 0) + (bySource[OTHER_SOURCES] ?? 0) === 0)
        return false;
      return holdsFate(counters);
    },

    mayBe(row, counters, fateAt) {
      // A test is in no batch.
      if (asked.test === 'true') return false;
      if (name !== undefined && row.name !== name) return false;
      if (fits === null) return true;
      const isMeant = row.targets.some((target) => {
        const at = platformOf(target);
        if (platform !== undefined && at !== platform) return false;
        const fate = fateAt(target);
        if (fate === undefined) return true;
        const why = isEnded(fate.state) && 'reason' in fate ? fate.reason : undefined;
        return fits(fate.state) && (code === undefined || why === undefined || isCode(code, why, at));
      });
      if (isMeant || !saysVerdict(wanted)) return isMeant;
      // Copies, replays and tests stand in no figure of platforms.
      if (counters === null || rowsIn(counters) !== counters.events + counters.bots) return true;
      // A manifest says nothing of platforms that are not to have the event.
      return slugs.some(
        (slug) =>
          !row.targets.some((target) => platformOf(target) === slug) &&
          (wordsOf(counters, slug, row.name)?.some((word) => !isState(word) && fits(word)) ?? true),
      );
    },
  };
}

/** Undefined where some of the deliveries ended with a code that is not known. */
function codeCount(code: string, slug: string, { codes, deliveries }: BucketCounters): number | undefined {
  const counted = Object.entries(codes?.[slug] ?? {});
  const ended = Object.values(deliveries[slug] ?? {}).flatMap((words) =>
    Object.entries(words).flatMap(([word, count]) => (isEnded(word) ? [count] : [])),
  );
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
  if (sum(counted.map(([, count]) => count)) < sum(ended)) return undefined;
  return sum(counted.flatMap(([one, count]) => (isCode(code, one, slug) ? [count] : [])));
}

/** Null where what is counted by itself is not what is wanted. */
function counterOf(
  { platform, status, outcome, code, event_name, source }: Wanted,
  name: EventName | undefined,
): CountedMatch['countIn'] | null {
  const isAnyCustom = name !== 'Custom' || event_name?.toLowerCase() === 'custom';
  if (source !== undefined || !isAnyCustom) return null;
  if (code !== undefined) {
    // What withholds is counted without what it is about, and a code without the name of the event.
    const isPlain = [name, status, outcome].every((one) => one === undefined) && !code.includes(':');
    return platform === undefined || !isPlain
      ? null
      : (counters) => {
          const ended = codeCount(code, platform, counters);
          return ended === undefined
            ? undefined
            : ended + wordCount(counters, platform, (word) => word === code);
        };
  }
  if (platform === undefined)
    return name !== undefined && status === undefined && outcome === undefined
      ? ({ byName }) => byName[name] ?? 0
      : null;
  if (outcome === undefined || status !== undefined) return null;
  return (counters) => wordCount(counters, platform, (word) => outcomeOf(word) === outcome, name);
}

function wordCount(
  { deliveries }: BucketCounters,
  platform: string,
  isMeant: (word: string) => boolean,
  name?: EventName,
): number {
  return Object.entries(deliveries[platform] ?? {})
    .filter(([one]) => name === undefined || one === name)
    .flatMap(([, words]) => Object.entries(words))
    .reduce((sum, [word, count]) => sum + (isMeant(word) ? count : 0), 0);
}

/** May be true of what is not to be delivered. */
function saysVerdict({ status, outcome, code }: Wanted): boolean {
  if (code !== undefined && !VERDICT_CODES.some((verdict) => saysCode(verdict, code))) return false;
  if (status === undefined) return outcome === 'withheld' || (outcome === undefined && code !== undefined);
  return !isState(status) && !ENDED.some((ended) => ended === status) && !isOpen(status);
}

const isState = (word: string): word is DeliveryState => DELIVERY_STATES.some((state) => state === word);
/** With a code of its own, if one is known. */
const isEnded = (word: string): boolean => isState(word) && word !== 'DELIVERED' && TERMINAL_STATES.has(word);
const isOpenState = (word: string): boolean => isState(word) && !TERMINAL_STATES.has(word);

/** How a delivery reads that is not over: `connection_paused` while its connection is, `SKIPPED` once that is gone. */
const OPEN_READS: ReadonlySet<string> = new Set(['pending', 'connection_paused', 'SKIPPED', 'skipped']);
const isOpen = (status: string): boolean => OPEN_READS.has(status);

/** Takes a word by which deliveries are counted: a state, or the verdict of what is not to be delivered. */
function wordFilter({ platform, status, outcome, code }: Wanted): ((word: string) => boolean) | null {
  if ([platform, status, outcome, code].every((one) => one === undefined)) return null;
  return (word) => {
    const open = isOpenState(word);
    if (
      status !== undefined &&
      status !== word &&
      !(isState(word) && status === word.toLowerCase()) &&
      !(open && (isOpen(status) || isOpenState(status) || status === PROCESSING))
    )
      return false;
    if (outcome !== undefined && outcomeOf(word) !== outcome && !(open && outcome === 'withheld'))
      return false;
    if (code !== undefined) return isEnded(word) || saysCode(word, code);
    return status !== undefined || outcome !== undefined || isState(word);
  };
}

/** What waits is withdrawn once its connection is gone. */
const saysCode = (word: string, code: string): boolean =>
  isState(word) ? isOpenState(word) && code === NOT_CONNECTED : word === code || code.startsWith(`${word}:`);
