// How much a connection may be sent: what its vendor's documents allow, shared by all processes without a write per request
// (leased-window.ts). Guarantees: a connection far below its quota costs no call; one at it takes nothing from any other.
// What has waited finds room in every window, however much is new. Where a share cannot be leased, events go out: the vendor says so itself where it is too much.
import type { Clock } from '#lib/core/ports/clock.ts';
import { createLeasedWindow, type LeasedWindow, type LeaseStore } from '#lib/core/work/leased-window.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Platform, Quota } from '../../platforms/platform.ts';
import type { OpenConnection } from './open-connection.ts';

const MINUTE_SEC = 60;

export interface PacePorts {
  readonly quotas: LeaseStore;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly report: (problem: string, error: unknown) => void;
}

export interface Pace {
  /** `atOnce`: nothing can wait, so that the limits of a second are asked at the same time as those of a minute. */
  of(open: OpenConnection | null, platform: Platform, atOnce: boolean): JobPace;
}

/** Of the events of one connection that share requests. */
export interface JobPace {
  /** Whether one more event may be sent; asked once for each. `isWaiting`: it was held back before. */
  hasRoom(event: () => NormalizedEvent, isWaiting: boolean): Promise<boolean>;
  /** Waits until a request may begin, no longer than `untilMs`; false: then it may not. */
  turn(events: readonly NormalizedEvent[], untilMs: number): Promise<boolean>;
  /** Requests besides the one there was room for. */
  spend(events: readonly NormalizedEvent[], requests: number): Promise<void>;
}

/** A quota as it is kept: by the second, or by the minute. */
interface Kept extends Quota {
  readonly id: string;
  readonly windowSec: number;
  readonly limit: number;
}

/**
 * Shares of a window that end before it is full: what is new leaves a quarter to what has waited, since requests of single events
 * would take all of it, and what is sent at once leaves half to the queue, which fills its requests. Replays yield to others.
 */
const TIERS = { waiting: 1, queued: 3 / 4, first: 1 / 2 } as const;
type Tier = keyof typeof TIERS;

function tierOf({ replay }: NormalizedEvent, atOnce: boolean, isWaiting: boolean): Tier {
  if (atOnce) return 'first';
  if (replay === true) return isWaiting ? 'queued' : 'first';
  return isWaiting ? 'waiting' : 'queued';
}

const UNLIMITED: JobPace = {
  hasRoom: async () => true,
  turn: async () => true,
  spend: async () => undefined,
};

export function createPace(ports: PacePorts): Pace {
  const { quotas, clock, wait, report } = ports;
  const windows = new Map<string, LeasedWindow>();
  const windowOf = ({ windowSec }: Kept, tier: Tier): LeasedWindow => {
    const id = `${windowSec}/${tier}`;
    const known = windows.get(id) ?? createLeasedWindow(quotas, sharing(windowSec));
    windows.set(id, known);
    return known;
  };
  return {
    of(open, platform, atOnce) {
      const all = keptQuotas(platform);
      if (open === null || all.length === 0) return UNLIMITED;
      const { connection, credentials } = open;
      const [seconds, minutes] = [true, false].map((isShort) =>
        all.filter(({ windowSec }) => windowSec < MINUTE_SEC === isShort),
      ) as [Kept[], Kept[]];
      const idOf = (kept: Kept): string => `quota|${connection.merchantId}|${connection.id}|${kept.id}`;
      const take = async (kept: Kept, wanted: number, tier: Tier): Promise<boolean> => {
        const limit = Math.ceil(kept.limit * TIERS[tier]);
        const most = Math.min(wanted, limit);
        try {
          return (await windowOf(kept, tier).take(idOf(kept), most, limit, clock.now())) === most;
        } catch (error) {
          report('a share of a quota was not leased', error);
          return true;
        }
      };
      /** Events that go along with a request there is room for, of a group. */
      const along = new Map<string, number>();
      const room = async (event: NormalizedEvent, isWaiting: boolean): Promise<boolean> => {
        const tier = tierOf(event, atOnce, isWaiting);
        const own = (atOnce ? all : minutes).filter((kept) => isOf(kept, event, credentials));
        const group = groupOf(platform, event, credentials);
        const requestOf = ({ id }: Kept): string => `${id}/${group}`;
        const asked = own.filter((kept) => kept.counts === 'events' || !along.get(requestOf(kept)));
        const nowMs = clock.now();
        if (asked.some((kept) => windowOf(kept, tier).isExhausted(idOf(kept), nowMs))) return false;
        for (const kept of asked) if (!(await take(kept, 1, tier))) return false;
        for (const request of own.map(requestOf))
          along.set(request, (along.get(request) || platform.limits.batchSizeMax) - 1);
        return true;
      };
      let before: Promise<unknown> = Promise.resolve();
      return {
        hasRoom: (event, isWaiting) => {
          const answer = before.then(() => room(event(), isWaiting));
          before = answer;
          return answer;
        },
        async turn(events, untilMs) {
          if (atOnce) return true;
          for (const kept of seconds) {
            if (!events.some((event) => isOf(kept, event, credentials))) continue;
            const wanted = kept.counts === 'events' ? events.length : 1;
            while (!(await take(kept, wanted, 'waiting'))) {
              const nowMs = clock.now();
              const waitMs = windowOf(kept, 'waiting').retryAfterSec(nowMs) * 1_000;
              if (nowMs + waitMs > untilMs) return false;
              await wait(waitMs);
            }
          }
          return true;
        },
        async spend(events, requests) {
          if (requests < 1) return;
          for (const kept of minutes)
            if (kept.counts === 'requests' && events.some((event) => isOf(kept, event, credentials)))
              await take(kept, requests, 'waiting');
        },
      };
    },
  };
}

/** The shortest first: what it refuses costs nothing of the others. */
function keptQuotas({ quotas = [] }: Platform): readonly Kept[] {
  return quotas
    .map((quota, index): Kept => {
      const windowSec = Math.min(quota.perSec, MINUTE_SEC);
      return {
        ...quota,
        id: String(index),
        windowSec,
        limit: Math.floor((quota.max * windowSec) / quota.perSec),
      };
    })
    .sort((a, b) => a.windowSec - b.windowSec);
}

/** A platform whose code throws says nothing about its event, so that the quota holds. */
function isOf({ of }: Kept, event: NormalizedEvent, credentials: unknown): boolean {
  try {
    return of === undefined || of(event, credentials);
  } catch {
    return true;
  }
}

function groupOf({ groupKey }: Platform, event: NormalizedEvent, credentials: unknown): string {
  try {
    return groupKey?.(event, credentials) ?? '';
  } catch {
    return '';
  }
}

/** Free of each process: a fiftieth of a minute's, a fifth of a second's, of which there are few. */
const sharing = (windowSec: number) => ({
  windowMs: windowSec * 1_000,
  free: (limit: number) => Math.ceil(limit / (windowSec < MINUTE_SEC ? 5 : 50)),
  share: (limit: number) => Math.ceil(limit / (windowSec < MINUTE_SEC ? 2 : 10)),
});

/** Events a minute at most. Of endpoints with quotas of their own one counts, because what waits for each is not known apart. */
export function eventsPerMinute(platform: Platform, which: 'widest' | 'narrowest' = 'widest'): number {
  const each = keptQuotas(platform).filter(({ windowSec }) => windowSec === MINUTE_SEC);
  const events = ({ counts, limit }: Kept): number =>
    counts === 'events' ? limit : limit * platform.limits.batchSizeMax;
  const [own, ofAll] = [true, false].map((isOwn) =>
    each.filter(({ of }) => (of !== undefined) === isOwn).map(events),
  ) as [number[], number[]];
  return Math.min(
    own.length === 0 ? Number.POSITIVE_INFINITY : (which === 'widest' ? Math.max : Math.min)(...own),
    ...ofAll,
  );
}
