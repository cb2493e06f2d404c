// What a list looks for, asked of what is known of events without their rows: of counters, and of the manifest of a batch with
// its fates. Never false of what holds an event that the filter of rows takes.
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { OTHER_SOURCES } from '#lib/events/domain/analytics/sum.ts';
import { platformOf } from '#lib/events/domain/connections/target.ts';
import type { ManifestRow } from '#lib/events/domain/deliveries/batch.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  TERMINAL_STATES,
} from '#lib/events/domain/deliveries/delivery.ts';
import { type Outcome, outcomeOf } from '#lib/events/domain/deliveries/outcome.ts';
import { canonicalEventName, type EventName } from '#lib/events/domain/event/names.ts';
import { NOT_CONNECTED } from '#lib/events/pipeline/verdicts.ts';
import { ENDED, PROCESSING, SLUGS, type STATUSES } from '#lib/events/routes/events.ts';

export interface Wanted {
  readonly connection_id?: string | undefined;
  readonly platform?: string | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly outcome?: Outcome | undefined;
  readonly event_name?: string | undefined;
  readonly source?: string | undefined;
  readonly test?: 'true' | 'false' | undefined;
}

export interface CountedMatch {
  mayHold(counters: BucketCounters): boolean;
  /** At least so many of them are meant, as the overview counts; absent where counters do not say it. */
  readonly countIn?: (counters: BucketCounters) => number;
  /** `stateAt`: of its delivery at one of its targets; undefined where it cannot be read. */
  mayBe(row: ManifestRow, stateAt: (target: string) => DeliveryState | undefined): boolean;
}

/** Null where neither counters nor manifests say anything of what is wanted. */
export function createCountedMatch(asked: Wanted): CountedMatch | null {
  // Of one connection only the names and sources are asked of counters: it may hold what they do not tell apart.
  const { connection_id, event_name, source: from } = asked;
  const wanted = connection_id === undefined ? asked : { event_name, source: from };
  const { platform, source } = wanted;
  const name = wanted.event_name === undefined ? undefined : canonicalEventName(wanted.event_name);
  const fits = wordFilter(wanted);
  if (name === undefined && source === undefined && fits === null && asked.test !== 'true') return null;
  const slugs = platform === undefined ? SLUGS : [platform];
  const holdsFate = ({ byName, deliveries }: BucketCounters): boolean => {
    if (fits === null) return true;
    const names = name === undefined ? Object.keys(byName) : [name];
    return slugs.some((slug) =>
      names.some((one) => {
        // A platform that did not exist when they were counted was not connected either.
        const counted = (deliveries[slug] ?? Object.values(deliveries)[0])?.[one] ?? {};
        const words = Object.entries(counted).filter(([, count]) => count > 0);
        const known = words.reduce((sum, [, count]) => sum + count, 0);
        // Not normalized when it was counted: it may have come to anything since.
        if (known < (byName[one] ?? 0)) return true;
        return slug in deliveries ? words.some(([word]) => fits(word)) : fits(NOT_CONNECTED);
      }),
    );
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

    mayBe(row, stateAt) {
      // A test is in no batch.
      if (asked.test === 'true') return false;
      if (name !== undefined && row.name !== name) return false;
      if (fits === null || saysVerdict(wanted)) return true;
      return row.targets.some((target) => {
        if (platform !== undefined && platformOf(target) !== platform) return false;
        const state = stateAt(target);
        return state === undefined || fits(state);
      });
    },
  };
}

/** Null where what is counted by itself is not what is wanted. */
function counterOf(
  { platform, status, outcome, event_name, source }: Wanted,
  name: EventName | undefined,
): ((counters: BucketCounters) => number) | null {
  const isAnyCustom = name !== 'Custom' || event_name?.toLowerCase() === 'custom';
  if (source !== undefined || !isAnyCustom) return null;
  if (platform === undefined)
    return name !== undefined && status === undefined && outcome === undefined
      ? ({ byName }) => byName[name] ?? 0
      : null;
  if (outcome === undefined || status !== undefined) return null;
  return ({ deliveries }) =>
    Object.entries(deliveries[platform] ?? {})
      .filter(([one]) => name === undefined || one === name)
      .flatMap(([, words]) => Object.entries(words))
      .reduce((sum, [word, count]) => sum + (outcomeOf(word) === outcome ? count : 0), 0);
}

/** A manifest says nothing of platforms that are not to have the event. */
function saysVerdict({ status, outcome }: Wanted): boolean {
  if (outcome === 'withheld') return true;
  return (
    status !== undefined && !isState(status) && !ENDED.some((ended) => ended === status) && !isOpen(status)
  );
}

const isState = (word: string): word is DeliveryState => DELIVERY_STATES.some((state) => state === word);
const isOpenState = (word: string): boolean => isState(word) && !TERMINAL_STATES.has(word);

/** How a delivery reads that is not over: `connection_paused` while its connection is, `SKIPPED` once that is gone. */
const OPEN_READS: ReadonlySet<string> = new Set(['pending', 'connection_paused', 'SKIPPED', 'skipped']);
const isOpen = (status: string): boolean => OPEN_READS.has(status);

/** Takes a word by which deliveries are counted: a state, or the verdict of what is not to be delivered. */
function wordFilter({ platform, status, outcome }: Wanted): ((word: string) => boolean) | null {
  if (platform === undefined && status === undefined && outcome === undefined) return null;
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
    return status !== undefined || outcome !== undefined || isState(word);
  };
}
