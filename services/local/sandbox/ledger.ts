// What arrived at each platform, and what the platform would have counted of it. Memory is bounded for the list;
// counts are kept whole. With a log file every event is on disk before its sender gets an answer.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { toDecimal } from '#lib/events/domain/event/decimal.ts';
import type { PlatformSandbox, SandboxEvent } from './platforms/platform-sandbox.ts';

/** One event that arrived, in the spelling of `GET /received`. */
export interface Arrival {
  readonly seq: number;
  readonly at: string;
  readonly platform: string;
  readonly account: string;
  readonly event_name: string;
  readonly event_id: string;
  readonly test: boolean;
  readonly deletes?: true;
  readonly adjusts?: true;
  readonly accepted: boolean;
  readonly reason?: string;
  readonly dedupe_key?: string;
  readonly value?: number;
  readonly currency?: string;
  readonly payload: unknown;
}

/** The answer of `GET /counted`. Money is exact: decimal text per currency. */
export interface Count {
  readonly platform: string;
  readonly total: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly test: number;
  readonly by_event_name: Readonly<Record<string, number>>;
  readonly value_by_currency: Readonly<Record<string, string>>;
}

interface Tally {
  arrivals: Arrival[];
  arrived: number;
  total: number;
  duplicates: number;
  refused: number;
  test: number;
  readonly byEventName: Map<string, number>;
  readonly nanosByCurrency: Map<string, bigint>;
  /** Dedupe key → when it was counted. */
  readonly countedAtMs: Map<string, number>;
}

export interface LedgerOptions {
  readonly sandboxes: ReadonlyMap<string, PlatformSandbox>;
  /** Events listed per platform; older ones are forgotten, not uncounted. */
  readonly arrivalsMax: number;
  readonly logFile?: string;
}

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #tallies = new Map<string, Tally>();
  #seq = 0;

  constructor(options: LedgerOptions) {
    this.#options = options;
    if (options.logFile !== undefined && existsSync(options.logFile)) this.#reload(options.logFile);
  }

  record(platform: string, events: readonly SandboxEvent[], nowMs: number): void {
    const arrivals = events.map((event) => this.#arrival(platform, event, nowMs));
    const { logFile } = this.#options;
    if (logFile !== undefined && arrivals.length > 0)
      appendFileSync(logFile, arrivals.map((arrival) => `${JSON.stringify(arrival)}\n`).join(''));
    for (const arrival of arrivals) this.#count(arrival);
  }

  received(platform: string): {
    readonly platform: string;
    readonly total: number;
    readonly events: readonly Arrival[];
  } {
    const tally = this.#tally(platform);
    return { platform, total: tally.arrived, events: tally.arrivals.slice(-this.#options.arrivalsMax) };
  }

  counted(platform: string): Count {
    const tally = this.#tally(platform);
    const money = [...tally.nanosByCurrency].map(
      ([currency, nanos]) => [currency, decimalOfNanos(nanos)] as const,
    );
    return {
      platform,
      total: tally.total,
      duplicates: tally.duplicates,
      refused: tally.refused,
      test: tally.test,
      by_event_name: Object.fromEntries(tally.byEventName),
      value_by_currency: Object.fromEntries(money),
    };
  }

  /** Forgets everything, on disk too. */
  clear(): void {
    this.#tallies.clear();
    if (this.#options.logFile !== undefined) writeFileSync(this.#options.logFile, '');
  }

  #arrival(platform: string, event: SandboxEvent, nowMs: number): Arrival {
    this.#seq += 1;
    return {
      seq: this.#seq,
      at: new Date(nowMs).toISOString(),
      platform,
      account: event.account,
      event_name: event.eventName,
      event_id: event.eventId,
      test: event.test,
      ...withoutUndefined({ deletes: event.deletes, adjusts: event.adjusts }),
      accepted: event.accepted,
      ...withoutUndefined({
        reason: event.reason,
        dedupe_key: event.dedupeKey,
        value: event.value,
        currency: event.currency,
      }),
      payload: event.payload,
    };
  }

  #count(arrival: Arrival): void {
    const tally = this.#tally(arrival.platform);
    tally.arrived += 1;
    tally.arrivals.push(arrival);
    // Cut in one go now and then: a shift per event would copy the list each time.
    if (tally.arrivals.length >= 2 * this.#options.arrivalsMax)
      tally.arrivals = tally.arrivals.slice(-this.#options.arrivalsMax);
    if (!arrival.accepted) tally.refused += 1;
    else if (arrival.deletes === true || arrival.adjusts === true) return;
    else if (arrival.test) tally.test += 1;
    else if (this.#isDuplicate(tally, arrival)) tally.duplicates += 1;
    else add(tally, arrival);
  }

  #isDuplicate(tally: Tally, arrival: Arrival): boolean {
    if (arrival.dedupe_key === undefined) return false;
    const windowMs = (this.#options.sandboxes.get(arrival.platform)?.dedupeWindowSec ?? 0) * 1_000;
    const atMs = Date.parse(arrival.at);
    const countedAtMs = tally.countedAtMs.get(arrival.dedupe_key);
    if (countedAtMs !== undefined && (windowMs === 0 || atMs - countedAtMs <= windowMs)) return true;
    tally.countedAtMs.set(arrival.dedupe_key, atMs);
    return false;
  }

  #tally(platform: string): Tally {
    const known = this.#tallies.get(platform);
    if (known !== undefined) return known;
    const tally: Tally = {
      arrivals: [],
      arrived: 0,
      total: 0,
      duplicates: 0,
      refused: 0,
      test: 0,
      byEventName: new Map(),
      nanosByCurrency: new Map(),
      countedAtMs: new Map(),
    };
    this.#tallies.set(platform, tally);
    return tally;
  }

  /** A crash may have cut the last line off: it was never answered, so it is dropped from the file too. */
  #reload(logFile: string): void {
    const text = readFileSync(logFile, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) writeFileSync(logFile, whole);
    for (const line of whole.split('\n').slice(0, -1)) {
      const arrival = JSON.parse(line) as Arrival;
      this.#seq = Math.max(this.#seq, arrival.seq);
      this.#count(arrival);
    }
  }
}

function add(tally: Tally, { event_name, value, currency }: Arrival): void {
  tally.total += 1;
  tally.byEventName.set(event_name, (tally.byEventName.get(event_name) ?? 0) + 1);
  if (value === undefined || currency === undefined) return;
  tally.nanosByCurrency.set(currency, (tally.nanosByCurrency.get(currency) ?? 0n) + nanosOf(value));
}

const NANO_DIGITS = 9;

/** Billionths, so that sums of decimals stay exact. */
function nanosOf(value: number): bigint {
  const [whole = '0', fraction = ''] = toDecimal(value).split('.');
  return BigInt(whole + fraction.slice(0, NANO_DIGITS).padEnd(NANO_DIGITS, '0'));
}

function decimalOfNanos(nanos: bigint): string {
  const digits = nanos.toString().padStart(NANO_DIGITS + 1, '0');
  const fraction = digits.slice(-NANO_DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -NANO_DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
