// A platform's server as the pipeline meets it: it takes events, refuses them, hangs, lies, forgets to answer and asks
// for patience; and it keeps the one list nobody can argue with, of what it really took.

import type { HttpRequest, HttpResult, Quota } from '../../lib/events/platforms/platform.ts';
import type { SeededRandom } from '../support/memory/random.ts';
import type { SyntheticPlatform, WireEvent } from './synthetic-platforms.ts';
import type { Timeline } from './timeline.ts';

export const TROUBLES = [
  'status_500',
  'status_500_after_accepting',
  'silence',
  'silence_after_accepting',
  'accepts_after_silence',
  'reset_before_accepting',
  'reset_after_accepting',
  'refused',
  'rate_limited',
  'unauthorized',
  'garbage_after_accepting',
  'lying_count',
  'slow',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** From when to when requests meet which troubles, and how often. */
export interface Spell {
  readonly fromMs: number;
  readonly toMs: number;
  readonly rate: number;
  readonly troubles: readonly Trouble[];
  readonly retryAfterSec?: number;
}

export interface VendorCall {
  readonly atMs: number;
  readonly nonces: readonly string[];
  readonly trouble: Trouble | null;
}

export type Vendor = ReturnType<typeof createVendor>;

export interface VendorOptions {
  readonly timeline: Timeline;
  readonly random: SeededRandom;
  readonly spells: readonly Spell[];
  /** Refuses what is beyond, as many platforms do without a word of when to come again. */
  readonly limit?: { readonly quota: Quota; readonly slack: number } | undefined;
}

/** Events that vendors refuse for good. */
export const isPoison = (nonce: string): boolean => nonce.startsWith('poison');

interface Reaction {
  readonly result: HttpResult;
  readonly delayMs: number;
}

const SILENT: HttpResult = { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 'no answer' };
const RESET: HttpResult = { kind: 'failure', code: 'reset', maybeDelivered: true, message: 'reset' };
const REFUSED: HttpResult = { kind: 'failure', code: 'refused', maybeDelivered: false, message: 'refused' };

export function createVendor(traits: SyntheticPlatform, options: VendorOptions) {
  const { timeline, random, spells, limit } = options;
  const copies = new Map<string, number[]>();
  const counted = new Map<string, number>();
  const knownIds = new Set<string>();
  const firsts = new Map<string, string>();
  const ids = new Map<string, string>();
  const calls: VendorCall[] = [];
  /** By caller and window. */
  const taken = new Map<string, number>();
  const isBeyond = (caller: string, events: number): boolean => {
    if (limit === undefined) return false;
    const window = `${caller}/${Math.floor(timeline.now() / (limit.quota.perSec * 1_000))}`;
    const all = (taken.get(window) ?? 0) + events;
    taken.set(window, all);
    return all > limit.quota.max + limit.slack;
  };

  const accept = (events: readonly WireEvent[]): void => {
    for (const { id, nonce } of events) {
      copies.set(nonce, [...(copies.get(nonce) ?? []), timeline.now()]);
      ids.set(nonce, id);
      if (!firsts.has(id)) firsts.set(id, nonce);
      // By id and body: an id that was used again after its window is another event.
      const known = traits.deduplicates && knownIds.has(`${id}/${nonce}`);
      knownIds.add(`${id}/${nonce}`);
      if (!known) counted.set(nonce, (counted.get(nonce) ?? 0) + 1);
    }
  };
  const ordinary = (events: readonly WireEvent[]): HttpResult => {
    const good = events.filter(({ nonce }) => !isPoison(nonce));
    if (traits.style !== 'each' && good.length < events.length) return reply(400, { error: 'invalid' });
    const word = ({ id, nonce }: WireEvent) =>
      isPoison(nonce) ? 'bad' : traits.deduplicates && knownIds.has(`${id}/${nonce}`) ? 'dup' : 'ok';
    const results = Object.fromEntries(events.map((event) => [event.nonce, word(event)]));
    accept(good);
    return reply(200, { ok: true, accepted: events.length, results });
  };
  const react = (trouble: Trouble | null, events: readonly WireEvent[], retryAfterSec: number): Reaction => {
    const quick = { delayMs: random.below(200) };
    switch (trouble) {
      case null:
        return { ...quick, result: ordinary(events) };
      case 'slow':
        return { delayMs: random.below(30_000), result: ordinary(events) };
      case 'status_500':
        return { ...quick, result: reply(500, 'oops') };
      case 'status_500_after_accepting':
        ordinary(events);
        return { ...quick, result: reply(500, 'oops') };
      case 'silence':
        return { delayMs: Number.POSITIVE_INFINITY, result: SILENT };
      case 'silence_after_accepting':
        ordinary(events);
        return { delayMs: Number.POSITIVE_INFINITY, result: SILENT };
      case 'accepts_after_silence':
        timeline.after(random.below(60_000), () => void ordinary(events));
        return { delayMs: Number.POSITIVE_INFINITY, result: SILENT };
      case 'reset_before_accepting':
        return { ...quick, result: RESET };
      case 'reset_after_accepting':
        ordinary(events);
        return { ...quick, result: RESET };
      case 'refused':
        return { ...quick, result: REFUSED };
      case 'rate_limited':
        return { ...quick, result: reply(429, 'slow down', { 'retry-after': String(retryAfterSec) }) };
      case 'unauthorized':
        return { ...quick, result: reply(401, { error: 'who are you' }) };
      case 'garbage_after_accepting':
        ordinary(events);
        return { ...quick, result: reply(200, '<html>') };
      case 'lying_count':
        return { ...quick, result: lie(ordinary(events), events.length) };
    }
  };

  return {
    traits,
    /** Resolves after virtual time has passed; never rejects. */
    handle: (request: HttpRequest, timeoutMs: number) => {
      const events = JSON.parse(request.body) as WireEvent[];
      const now = timeline.now();
      const spell = spells.find(({ fromMs, toMs }) => now >= fromMs && now < toMs);
      const ofSpell = spell && random.chance(spell.rate) ? random.pick(spell.troubles) : null;
      const trouble = isBeyond(request.headers.authorization ?? '', events.length) ? 'rate_limited' : ofSpell;
      calls.push({ atMs: now, nonces: events.map(({ nonce }) => nonce), trouble });
      const { result, delayMs } = react(trouble, events, spell?.retryAfterSec ?? 30);
      const answer = delayMs < timeoutMs ? result : SILENT;
      return new Promise<HttpResult>((resolve) =>
        timeline.after(Math.min(delayMs, timeoutMs), () => resolve(answer)),
      );
    },
    /** Per nonce, when copies were taken, before the vendor's own dedupe. */
    copies: () => copies,
    /** Per id as sent, the nonce of the first event taken under it: what a vendor counts that knows events by id alone. */
    firsts: () => firsts,
    /** Per nonce, the id it was sent under. */
    ids: () => ids,
    /** Per nonce, how many of them the vendor counts. */
    counted: (nonce: string) => counted.get(nonce) ?? 0,
    calls: () => calls,
    /** The most events of one caller in one window of its limit. */
    mostInWindow: () => Math.max(0, ...taken.values()),
  };
}

function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResult {
  return { kind: 'response', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** A yes whose numbers do not add up. */
function lie(result: HttpResult, events: number): HttpResult {
  if (result.kind === 'failure' || result.status !== 200) return result;
  return reply(200, { accepted: Math.max(0, events - 1), results: {} });
}
