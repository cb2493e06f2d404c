// Ways to carry out a replay plan that send an event twice or never, count what was not done, or heed nobody.
import type { AcceptedRow } from '#lib/events/domain/event/row.ts';
import { replayIdOf } from '#lib/events/domain/replays/replay-id.ts';
import type { ReplayPorts } from '#services/events/replay/ports.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

type Replay = NonNullable<Mutation['replay']>;

export function replayMutants(): Mutant[] {
  const mutants: Readonly<Record<string, Replay>> = {
    'gives a replay another id each time its page is done': (ports) => ({
      ...ports,
      events: {
        ...ports.events,
        claim: (row) => {
          const eventId = replayIdOf(row.key.eventId, [row.ingestId]);
          return ports.events.claim({ ...row, key: { ...row.key, eventId } });
        },
      },
    }),
    'notes a page before it is stored': notesFirst,
    'goes on with a paused plan': (ports) => ({
      ...ports,
      replays: {
        ...ports.replays,
        plan: async (...key) => {
          const plan = await ports.replays.plan(...key);
          return plan?.state === 'paused' ? { ...plan, state: 'running' } : plan;
        },
      },
    }),
    'writes over what others noted': (ports) => ({
      ...ports,
      replays: {
        ...ports.replays,
        writePlan: async (next, seen) => {
          const stored = await ports.replays.plan(next.merchantId, next.id);
          return await ports.replays.writePlan(next, stored?.version ?? seen);
        },
      },
    }),
    'never takes up a plan whose step died': (ports) => ({
      ...ports,
      replays: {
        ...ports.replays,
        plan: async (...key) => {
          const plan = await ports.replays.plan(...key);
          return plan === null ? null : { ...plan, updatedAtMs: ports.clock.now() };
        },
      },
    }),
    'lets a plan run into what came later': (ports) => ({
      ...ports,
      replays: {
        ...ports.replays,
        plan: async (...key) => {
          const plan = await ports.replays.plan(...key);
          return plan && { ...plan, filter: { ...plan.filter, toMs: plan.createdAtMs + 600_000 } };
        },
      },
    }),
    'does not wait for the index': (ports) => ({
      ...ports,
      clock: { now: () => ports.clock.now() + 15_000 },
    }),
  };
  const mutations = Object.entries(mutants).map(([name, replay]) => [name, { replay }] as const);
  return caughtBy('replays', 'G25', Object.fromEntries(mutations));
}

/** Rows are stored after the plan says that they are. */
function notesFirst(ports: ReplayPorts): ReplayPorts {
  const waiting: AcceptedRow[] = [];
  return {
    ...ports,
    events: {
      ...ports.events,
      claim: async (row) => {
        waiting.push(row);
        return 'claimed';
      },
    },
    replays: {
      ...ports.replays,
      writePlan: async (next, seen) => {
        const written = await ports.replays.writePlan(next, seen);
        for (const row of waiting.splice(0)) await ports.events.claim(row);
        return written;
      },
    },
  };
}
