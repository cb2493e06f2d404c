// Ways to lose sight of a shard.
import { isSparse, shardOf } from '#lib/events/domain/shard.ts';
import { countMinute, storeCount } from '#lib/events/pipeline/counting/count-minute.ts';
import { recover } from '#lib/events/pipeline/recovery/recover.ts';
import { type CounterRefreshMessage, minuteNamed, refreshesIn } from '#services/events/aggregate/message.ts';
import { type AggregateStage, createAggregateStage } from '#services/events/aggregate/stage.ts';
import { acceptEvent } from '#services/events/ingestion/accept.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

/** What somebody wrote into a setting once. */
const CONFIGURED = 2;

export function shardMutants(): Mutant[] {
  const foldsConfigured: Mutation = {
    stages: {
      createAggregate: (ports) => {
        const stage = createAggregateStage(ports);
        return (messages) =>
          stage(
            messages.map((message) => {
              const refreshes = refreshesIn(message.body).map((refresh) => ({
                ...refresh,
                slots: refresh.slots.filter((name) => minuteNamed(name).shard < CONFIGURED),
              }));
              return { ...message, body: { refreshes } };
            }),
          );
      },
    },
  };
  const sumsConfigured: Mutation = {
    counters: (store) => ({
      ...store,
      range: async (...args) => (await store.range(...args)).filter(({ key }) => shardOf(key) < CONFIGURED),
    }),
  };
  const announcesFirstChoice: Mutation = {
    stages: {
      accept: (input, ports) => {
        const { markDue, ...slots } = ports.slots;
        let announced: Promise<void> | undefined;
        const once: typeof markDue = (rows) => (announced ??= markDue(rows));
        return acceptEvent(input, { ...ports, slots: { ...slots, markDue: once } });
      },
    },
  };
  const countsOneMinute: Mutation = {
    stages: {
      createAggregate: (ports) => {
        const received: typeof ports.events.received = ({ toMs, ...query }) =>
          ports.events.received({
            ...query,
            toMs: isSparse(query) ? Math.min(toMs, query.fromMs + 60_000) : toMs,
          });
        return createAggregateStage({ ...ports, events: { ...ports.events, received } });
      },
    },
  };
  const waitsForTheEnd: Mutation = {
    stages: {
      createAggregate: (ports) => {
        const received: typeof ports.events.received = async (query) =>
          isSparse(query) && ports.clock.now() < query.toMs
            ? { keys: [] }
            : await ports.events.received(query);
        return createAggregateStage({ ...ports, events: { ...ports.events, received } });
      },
    },
  };
  return [
    ...caughtBy('purges', 'G7', {
      'looks for no row of ten minutes before they are over': waitsForTheEnd,
    }),
    ...caughtBy('shards', 'G1', {
      'folds a configured number of shards': foldsConfigured,
    }),
    ...caughtBy('storms', 'G1', {
      'folds a configured number of shards': foldsConfigured,
    }),
    ...caughtBy('storms', 'G11', {
      'counts the first minute of ten that are counted together': countsOneMinute,
    }),
    ...caughtBy('shards', 'G11', {
      'sums the minutes of a configured number of shards': sumsConfigured,
      'announces the shard of its first try alone': announcesFirstChoice,
      'reads the clock at the end of a fold': { stages: { createAggregate: withLateClock } },
    }),
  ];
}

/** The same fold, but for what it takes for the time of its count. */
function withLateClock(ports: Parameters<typeof createAggregateStage>[0]): AggregateStage {
  return async (messages) => {
    for (const { body, sentAtMs } of messages) {
      const names = refreshesIn(body).flatMap(({ merchant, slots }) =>
        slots.map((name) => ({ merchantId: merchant, ...minuteNamed(name) })),
      );
      for (const name of names) {
        const minute = { ...name, changedAtMs: sentAtMs };
        const count = await countMinute(minute, ports);
        if ('untilMs' in count) continue;
        await recover(count, ports);
        await storeCount({ ...count, countedAtMs: ports.clock.now() }, ports);
      }
    }
    const hoursOnly = (body: CounterRefreshMessage): CounterRefreshMessage => ({
      refreshes: refreshesIn(body).map((refresh) => ({ ...refresh, slots: [] })),
    });
    return await createAggregateStage(ports)(messages.map((m) => ({ ...m, body: hoursOnly(m.body) })));
  };
}
