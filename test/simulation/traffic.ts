// Callers as they are: they send an id twice, at once from several places, again a day later; they hear nothing and
// try again with the same id. Each keeps what it was told.
import { hash } from 'node:crypto';
import type { EventBody } from '../../lib/events/domain/event/event.ts';
import type { EventKey } from '../../lib/events/domain/event/row.ts';
import type { AcceptResult } from '../../services/events/ingestion/accept.ts';
import type { SeededRandom } from '../support/memory/random.ts';
import { MERCHANTS } from './merchants.ts';
import { EPOCH_MS, type World } from './world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_SEC = 7 * 86_400;
const PATIENCE_MS = 8_000;
const TRIES_MAX = 10;

export interface TrafficPlan {
  /** Logical events; each may be sent several times. */
  readonly events: number;
  readonly durationMs: number;
  /** Chance that a logical event is sent by several callers, and that a request's answer is lost on its way. */
  readonly repeatRate: number;
  readonly lostAnswerRate: number;
  /** Chance that an id is used again around the end of its window. */
  readonly nextDayRate: number;
  /** Chance that some platform refuses the event for good. */
  readonly poisonRate: number;
  /** Chance that an event is about as old as platforms take. */
  readonly agedRate: number;
  /** No old events, no bots, no denied consent, a merchant with every platform: everything is to be delivered. */
  readonly freshOnly: boolean;
  /** Chance that somebody without a key sends another event under the id of a server's, most often before it. */
  readonly attackRate: number;
}

export interface Traffic {
  /** True when every caller has an answer or has given up. */
  over(): boolean;
  /** Bodies sent, by nonce. */
  bodies(): ReadonlyMap<string, EventBody>;
}

export function startTraffic(world: World, plan: TrafficPlan): Traffic {
  const random = world.random.fork('traffic');
  const bodies = new Map<string, EventBody>();
  let open = 0;
  let nonces = 0;

  const newNonce = () => `${random.chance(plan.poisonRate) ? 'poison' : 'body'}-${++nonces}`;
  const caller = (atMs: number, key: EventKey, nonce: string) => {
    open += 1;
    const body = bodies.get(nonce) ?? bodyOf(key, nonce, atMs, plan, random);
    bodies.set(nonce, body);
    world.timeline.at(atMs, () => send(world, random, plan, { key, body, nonce }, 1, () => (open -= 1)));
  };

  for (let i = 0; i < plan.events; i++) {
    const key = plan.freshOnly ? { ...keyOf(i, random), merchantId: MERCHANTS[0] } : keyOf(i, random);
    const atMs = EPOCH_MS + random.below(plan.durationMs);
    const nonce = newNonce();
    if (plan.attackRate > 0 && random.chance(plan.attackRate)) {
      // Around the end of the wait, at once, hours ahead, or just after.
      const headStartMs = random.pick([
        random.below(50),
        random.below(5_000),
        110_000 + random.below(90_000),
        HOUR_MS + random.below(120_000),
        -random.below(2_000),
      ]);
      const server: EventKey = { ...key, channel: 'server' };
      const startMs = Math.max(atMs, EPOCH_MS + 2_000);
      caller(startMs + headStartMs, server, nonce);
      caller(startMs, { ...server, channel: 'browser' }, newNonce());
      continue;
    }
    caller(atMs, key, nonce);
    if (random.chance(plan.repeatRate)) {
      for (let copies = 1 + random.below(3); copies > 0; copies--) {
        const when = atMs + random.pick([0, 0, random.below(50), random.below(30_000)]);
        // The same caller's library, or another caller who picked the same id for something else.
        caller(when, key, random.chance(0.5) ? nonce : newNonce());
      }
    }
    if (random.chance(plan.repeatRate)) {
      // The other copy of one logical event: at once, or when the first one's slot has just been sealed, or later.
      const delayMs = random.pick([
        0,
        0,
        HOUR_MS + random.below(120_000),
        3 * HOUR_MS + random.below(60_000),
      ]);
      const twin: EventKey = { ...key, channel: key.channel === 'server' ? 'browser' : 'server' };
      caller(atMs + delayMs + random.below(60_000), twin, newNonce());
    }
    if (random.chance(plan.nextDayRate)) {
      for (let copies = 1 + random.below(3); copies > 0; copies--) {
        caller(atMs + DAY_MS + random.below(20_000) - 10_000, key, newNonce());
      }
    }
  }
  return { over: () => open === 0, bodies: () => bodies };
}

interface Request {
  readonly key: EventKey;
  readonly body: EventBody;
  readonly nonce: string;
}

function send(
  world: World,
  random: SeededRandom,
  plan: TrafficPlan,
  request: Request,
  attempt: number,
  over: () => void,
): void {
  const { timeline, host, ledger } = world;
  const { key, body, nonce } = request;
  let told = false;
  const again = () => {
    if (attempt >= TRIES_MAX) over();
    else
      timeline.after(500 + random.below(20_000), () => send(world, random, plan, request, attempt + 1, over));
  };
  const payloadHash = hash('sha256', JSON.stringify(body), 'hex');
  const hostClockMs = host.accept({ key, body, payloadHash }, (result) => {
    if (told || (world.stormy() && random.chance(plan.lostAnswerRate))) return;
    told = true;
    ledger.answers.push({ key, nonce, hostClockMs, ...answerOf(result) });
    if (result.kind === 'unavailable') again();
    else over();
  });
  timeline.after(PATIENCE_MS, () => {
    if (told) return;
    told = true;
    ledger.answers.push({ key, nonce, hostClockMs, kind: 'none' });
    again();
  });
}

function answerOf(result: AcceptResult) {
  if (result.kind === 'accepted') return { kind: 'accepted', ingestId: result.row.ingestId } as const;
  if (result.kind === 'duplicate') return { kind: 'duplicate', acceptedAtMs: result.acceptedAtMs } as const;
  return { kind: result.kind } as const;
}

function keyOf(index: number, random: SeededRandom): EventKey {
  const merchantId = random.pick([MERCHANTS[0], MERCHANTS[0], MERCHANTS[0], MERCHANTS[1], MERCHANTS[2]]);
  return { merchantId, channel: random.chance(0.8) ? 'server' : 'browser', eventId: `event-${index}` };
}

const VALUES = [
  { value: 29.99, currency: 'EUR' },
  { value: 0.1, currency: 'EUR' },
  { value: 0.2, currency: 'EUR' },
  { value: 1200, currency: 'JPY' },
  { value: 7.125, currency: 'KWD' },
  { value: 1e15, currency: 'USD' },
] as const;

/** Some came by an ad; all share a phone, so that one's click is the others' first touch. */
function clickOf(nonce: string): Pick<EventBody['user_data'], 'browser_ids'> {
  const digit = hash('sha256', nonce, 'hex').charCodeAt(0) % 4;
  const id = [{ gclid: nonce }, { ttclid: nonce }][digit];
  return id === undefined ? {} : { browser_ids: id };
}

function bodyOf(
  key: EventKey,
  nonce: string,
  atMs: number,
  { freshOnly, agedRate }: TrafficPlan,
  random: SeededRandom,
): EventBody {
  const some = (rate: number) => random.chance(rate) && !freshOnly;
  // Some arrive shortly before the platforms would find them too old, or shortly after.
  const ageSec = random.below(60) + (some(agedRate) ? WEEK_SEC - random.below(4_000) : 0);
  return {
    event_id: key.eventId,
    event_name: random.pick(['Purchase', 'Purchase', 'Lead', 'PageView', 'my_own_event']),
    event_time: Math.floor(atMs / 1_000) - ageSec,
    order_id: nonce,
    user_data: {
      email: random.chance(0.9) ? `${nonce}@example.com` : 'null',
      phone: '+49301234567',
      ...clickOf(nonce),
    },
    ...(random.chance(0.7) ? random.pick(VALUES) : {}),
    ...(some(0.2) ? { consent: { ad_user_data: 'denied' as const } } : {}),
    ...(some(0.1) ? { internal: { bot: true as const } } : {}),
    source: random.pick(['web', 'shop']),
  };
}
