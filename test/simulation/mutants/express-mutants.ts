// Ways to send new events at once wrongly: what may have been sent goes out again as if it had not.
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import { createDeliverStage, type Deliveries, type Left } from '#services/events/deliver/stage.ts';
import { createFanOutStage } from '#services/events/fan-out/stage.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

export function expressMutants(): Mutant[] {
  const comesBack: Mutation = {
    stages: {
      createFanOut: (ports) => {
        const stage = createFanOutStage(ports);
        return (messages) => stage(messages.map((message) => ({ ...message, receiveCount: 1 })));
      },
    },
  };
  return caughtBy('storms', 'G8', {
    'sends what came back at once, as if it were new': comesBack,
    'hands over as new what may have been sent and could not be recorded': leaving(({ unsent, again }) => ({
      unsent: new Set([...unsent, ...again]),
      again: new Set(),
    })),
    'hands over as new what it left behind at the cutoff': leftBehindAsNew,
  });
}

const leaving = (change: (left: Left) => Left): Mutation => ({
  stages: {
    createDeliver: (ports, breaker) => {
      const stage = createDeliverStage(ports, breaker);
      return async (...messages) => changed(await stage(...messages), change);
    },
  },
});

const changed = ({ failedIndexes, left }: Deliveries, change: (left: Left, platform: string) => Left) => ({
  failedIndexes,
  left: new Map([...left].map(([platform, what]) => [platform, change(what, platform)])),
});

/** Takes no lease of rows that stand alone, and names them as unsent. */
const leftBehindAsNew: Mutation = {
  stages: {
    createDeliver: (ports, breaker) => {
      const stage = createDeliverStage(ports, breaker);
      return async (messages, express) => {
        if (express === undefined) return await stage(messages);
        const behind = new Set<string>();
        const events: typeof ports.events = {
          ...ports.events,
          putDelivery: async (seen, { platform, delivery, also, ...patch }) => {
            const all = Object.entries({ ...also, [platform]: delivery });
            for (const [slug, { state }] of all)
              if (state === 'SENDING') behind.add(`${slug}/${rowId(seen.key)}`);
            const [first, ...others] = all.filter(([, { state }]) => state !== 'SENDING');
            if (first === undefined) return seen;
            const kept = { platform: first[0], delivery: first[1], also: Object.fromEntries(others) };
            return await ports.events.putDelivery(seen, { ...patch, ...kept });
          },
        };
        const end = await createDeliverStage({ ...ports, events }, breaker)(messages, express);
        const unsent = (platform: string) =>
          [...behind].flatMap((id) => (id.startsWith(`${platform}/`) ? [id.slice(platform.length + 1)] : []));
        return changed(end, (left, platform) => ({
          ...left,
          unsent: new Set([...left.unsent, ...unsent(platform)]),
        }));
      };
    },
  },
};
