// normalized → one pointer per platform that is to have the event.
// Guarantees: writes nothing, unless a platform was taken out of the code while its deliveries were open.

import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { grouped, keysOf, POINTERS_MAX, packPointers } from '../../../lib/events/domain/pointer.ts';
import { DELIVERY_MESSAGES_MAX } from '../../../lib/events/domain/topology.ts';
import { withdraw } from '../../../lib/events/pipeline/recovery/withdraw.ts';
import type { EventKey, NormalizedRow } from '../../../lib/events/ports/event-store.ts';
import { fanOutRow } from './decide.ts';
import type { NormalizedMessage } from './message.ts';
import type { FanOutPorts } from './ports.ts';

export type FanOutStage = (messages: readonly Received<NormalizedMessage>[]) => Promise<BatchResult>;

export function createFanOutStage(ports: FanOutPorts): FanOutStage {
  return async (messages) => {
    // platform → rows, those nobody can have sent before apart from the others.
    const first = new Map<string, EventKey[]>();
    const again = new Map<string, EventKey[]>();
    for (const message of messages) {
      const { body } = message;
      const target = body.first === true && message.receiveCount === 1 ? first : again;
      const unattempted = body.first === true || body.unattempted === true;
      for (const row of await readRows(keysOf(body), ports)) {
        const { send, gone } = fanOutRow(row, ports.platforms, unattempted, ports.clock.now());
        for (const slug of send) add(target, slug, row.key);
        for (const slug of gone) await withdraw(row, slug, ports);
      }
    }
    // Where it is not known whether they arrived, they are sent again as pointers that may have been seen before.
    await send(first, 'first', ports).catch(() => send(first, undefined, ports));
    await send(again, undefined, ports);
    return { failedIndexes: [] };
  };
}

/** Its rows are normalized: one that does not look so yet is asked for again. */
async function readRows(keys: readonly EventKey[], ports: FanOutPorts): Promise<readonly NormalizedRow[]> {
  const isNormalized = (row: { readonly state: string }): row is NormalizedRow => row.state === 'normalized';
  const rows = (await ports.events.readMany(keys, 'eventual')).filter(isNormalized);
  if (rows.length === keys.length) return rows;
  return (await ports.events.readMany(keys)).filter(isNormalized);
}

async function send(
  byPlatform: ReadonlyMap<string, readonly EventKey[]>,
  mark: 'first' | undefined,
  ports: FanOutPorts,
): Promise<void> {
  await Promise.all(
    [...byPlatform].map(async ([platform, keys]) => {
      const bodies = packPointers(keys, mark, rowsMaxFor(platform, ports));
      await ports.deliveries(platform).send(grouped(bodies.map((body) => ({ ...body, platform }))));
    }),
  );
}

/** So many that the messages of one invocation fill a request to the platform, and no more: a message is one retry. */
function rowsMaxFor(platform: string, { platforms }: FanOutPorts): number {
  const batchSizeMax = platforms.find(({ slug }) => slug === platform)?.limits.batchSizeMax ?? 0;
  return Math.max(POINTERS_MAX, Math.ceil(batchSizeMax / DELIVERY_MESSAGES_MAX));
}

function add(map: Map<string, EventKey[]>, slug: string, key: EventKey): void {
  const keys = map.get(slug);
  if (keys === undefined) map.set(slug, [key]);
  else keys.push(key);
}
