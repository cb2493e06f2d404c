// normalized → one pointer per platform that is to have the event.
// Guarantees: writes nothing while a delivery is open (the row's due time covers it); an event for nobody is closed here.
import { keysOf, packPointers } from '../../lib/domain/pointer.ts';
import type { EventKey, NormalizedRow } from '../../lib/ports/event-store.ts';
import type { BatchResult, Received } from '../../lib/ports/queue.ts';
import { dirtySlots } from '../aggregate/message.ts';
import { fanOutRow } from './decide.ts';
import type { NormalizedMessage } from './message.ts';
import type { FanOutPorts } from './ports.ts';

export type FanOutStage = (messages: readonly Received<NormalizedMessage>[]) => Promise<BatchResult>;

export function createFanOutStage(ports: FanOutPorts): FanOutStage {
  return async (messages) => {
    // platform → rows, those nobody can have sent before apart from the others.
    const first = new Map<string, EventKey[]>();
    const again = new Map<string, EventKey[]>();
    const closed: NormalizedRow[] = [];
    for (const message of messages) {
      const target = message.body.first === true && message.receiveCount === 1 ? first : again;
      const rows = await ports.events.readMany(keysOf(message.body));
      for (const row of rows) {
        if (row.state !== 'normalized' || row.dueAtMs === undefined) continue;
        const routing = await ports.config.routing(row.key.merchantId, row.routingVersion);
        const decision = fanOutRow(row, routing, ports.platforms, ports.clock.now());
        for (const slug of decision.send) add(target, slug, row.key);
        if (decision.close === undefined) continue;
        await ports.events.reschedule(row, null, { closedVerdicts: decision.close });
        closed.push(row);
      }
    }
    await send(first, true, ports);
    await send(again, false, ports);
    const hints = dirtySlots(
      closed.map((row) => ({ merchantId: row.key.merchantId, receivedAtMs: row.receivedAtMs })),
    );
    if (hints.length > 0) await ports.outcomes.send(hints.map((body) => ({ body, groupId: body.merchant })));
    return { failedIndexes: [] };
  };
}

async function send(
  byPlatform: ReadonlyMap<string, readonly EventKey[]>,
  first: boolean,
  ports: FanOutPorts,
): Promise<void> {
  await Promise.all(
    [...byPlatform].map(async ([platform, keys]) => {
      const messages = packPointers(keys, first).map((body) => ({
        body: { ...body, platform },
        groupId: body.merchant,
      }));
      await ports.deliveries(platform).send(messages);
    }),
  );
}

function add(map: Map<string, EventKey[]>, slug: string, key: EventKey): void {
  const keys = map.get(slug);
  if (keys === undefined) map.set(slug, [key]);
  else keys.push(key);
}
