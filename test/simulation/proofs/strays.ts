// Messages in the queues that no code here sent: of another shape, pointing at nothing, or at rows of another state than the
// queue's stage is there for. None of them says that it is the first: only what follows a commit may say that.
import { TERMINAL_STATES } from '#lib/events/domain/deliveries/delivery.ts';
import { isTargeted } from '#lib/events/domain/deliveries/progress.ts';
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import { packPointers } from '#lib/events/domain/pointer.ts';
import { counterRefreshes } from '#services/events/aggregate/message.ts';
import type { SeededRandom } from '../../support/memory/random.ts';
import { MERCHANTS } from '../merchants.ts';
import { EPOCH_MS } from '../world.ts';

/** Sends to a queue that strays lie beside, one of each kind. */
const SENDS_MAX = 6;
const KINDS = ['other_shape', 'nothing', 'other_state'] as const;
const LONG_BEFORE_MS = EPOCH_MS - 5 * 3_600_000;

/** The last ones pass for a message at first sight, each in another queue. */
const OTHER_SHAPES: readonly unknown[] = [
  '',
  'no JSON',
  '"a text"',
  'null',
  '[]',
  '{}',
  { merchant: MERCHANTS[0], rows: [], slots: [], platform: 'alpha' },
  { merchant: `${MERCHANTS[0]}#s`, rows: [['s', 'event-1']], slots: [EPOCH_MS], platform: 'alpha' },
  { merchant: MERCHANTS[0], rows: [['server', 'event-1']], slots: [1], platform: 7 },
];

export interface Strays {
  /** What lies in the queue of this name beside what is sent to it now. */
  next(queue: string): readonly unknown[];
  sent(): number;
}

export function createStrays(random: SeededRandom, rows: () => readonly EventRow[]): Strays {
  const sent = new Map<string, number>();
  const make = (queue: string, kind: (typeof KINDS)[number], n: number): unknown => {
    if (kind === 'other_shape') return random.pick(OTHER_SHAPES);
    const nothing = {
      merchantId: random.pick(MERCHANTS),
      channel: 'server',
      eventId: `nothing-${n}`,
    } as const;
    if (kind === 'nothing') return messageFor(queue, nothing, LONG_BEFORE_MS);
    const others = rows().filter((row) => isOfOtherState(row, queue));
    if (others.length === 0) return messageFor(queue, nothing, LONG_BEFORE_MS);
    const { key, receivedAtMs } = random.pick(others);
    return messageFor(queue, key, receivedAtMs);
  };
  return {
    next: (queue) => {
      const n = sent.get(queue) ?? 0;
      if (n === SENDS_MAX) return [];
      sent.set(queue, n + 1);
      return KINDS.map((kind) => make(queue, kind, n));
    },
    sent: () => [...sent.values()].reduce((sum, n) => sum + n * KINDS.length, 0),
  };
}

function isOfOtherState(row: EventRow, queue: string): boolean {
  if (queue === 'counter-refresh') return true;
  if (queue === 'accepted') return row.state === 'normalized';
  if (queue === 'normalized' || row.state === 'accepted') return row.state === 'accepted';
  const slug = platformOf(queue);
  const state = row.deliveries[slug]?.state;
  return !isTargeted(row, slug) || (state !== undefined && TERMINAL_STATES.has(state));
}

function messageFor(queue: string, key: EventKey, receivedAtMs: number): unknown {
  if (queue === 'counter-refresh') return counterRefreshes([{ ...key, receivedAtMs }])[0];
  const [pointers] = packPointers([key]);
  return queue.startsWith('deliveries-') ? { ...pointers, platform: platformOf(queue) } : pointers;
}

const platformOf = (queue: string): string => queue.replace('deliveries-', '');
