// Ways to park deliveries wrongly: for ever, not at all, or for everybody.

import { type Connection, PAUSE_PROBE_MS } from '#lib/events/domain/connections/connection.ts';
import { PARKING_REASONS } from '#lib/events/domain/deliveries/delivery.ts';
import { isParked } from '#lib/events/domain/deliveries/progress.ts';
import type { DeliverPorts } from '#services/events/deliver/ports.ts';
import { createDeliverStage } from '#services/events/deliver/stage.ts';
import { runSweep } from '#services/events/sweep/stage.ts';
import type { Mutation } from '../world.ts';
import { batchFates } from './batch-mutants.ts';
import { caughtBy, type Mutant } from './mutant.ts';

const QUARTER_MS = 900_000;

export function parkingMutants(): Mutant[] {
  const released: Mutation = {
    stages: {
      sweep: (ports) =>
        runSweep({
          ...ports,
          config: {
            connection: async (merchantId, platform) => {
              const connection = await ports.config.connection(merchantId, platform);
              return connection === null ? null : { ...connection, status: 'paused' };
            },
          },
        }),
    },
  };
  const withConfig = (
    variant: (config: DeliverPorts['config']) => Partial<DeliverPorts['config']>,
  ): Mutation => ({
    stages: {
      createDeliver: (ports, breaker) =>
        createDeliverStage({ ...ports, config: { ...ports.config, ...variant(ports.config) } }, breaker),
    },
  });
  const circuit = (variant: (seen: Connection, circuit: Connection['circuit'] | null) => boolean): Mutation =>
    withConfig((config) => ({
      setCircuit: async (seen, next, nowMs) =>
        variant(seen, next) || (await config.setCircuit(seen, next, nowMs)),
    }));
  return [
    ...caughtBy('parking', 'G12', {
      'never releases what it parked': released,
      'never asks again whether refused credentials are taken': withConfig(() => ({
        moveProbe: async () => false,
      })),
      'leaves a pause to a person although its credentials are taken again': withConfig(() => ({
        changeConnection: async () => null,
      })),
      'probes refused credentials every quarter of an hour': withConfig(({ moveProbe }) => ({
        moveProbe: (seen, atMs) => moveProbe(seen, atMs - PAUSE_PROBE_MS + QUARTER_MS),
      })),
      'looks at what is parked every quarter of an hour': {
        events: (store) => ({
          ...store,
          putDelivery: (seen, patch) => {
            const { delivery } = patch;
            if (delivery.state !== 'RETRY' || !PARKING_REASONS.has(delivery.reason ?? ''))
              return store.putDelivery(seen, patch);
            const nextAttemptAtMs = delivery.updatedAtMs + QUARTER_MS;
            const waits = { ...delivery, reason: 'waits', nextAttemptAtMs };
            return store.putDelivery(seen, { ...patch, delivery: waits, dueAtMs: nextAttemptAtMs });
          },
        }),
      },
      'looks at parked batches every quarter of an hour': batchFates((_before, after) =>
        isParked(after)
          ? { ...after, reason: 'waits', nextAttemptAtMs: after.updatedAtMs + QUARTER_MS }
          : after,
      ),
      'releases parked rows and forgets parked batches': {
        batches: (store) => ({
          ...store,
          dueGroups: async (...args) => {
            const { entries, isCut } = await store.dueGroups(...args);
            return { isCut, entries: entries.filter(({ parkedFor }) => parkedFor === undefined) };
          },
        }),
      },
      'enters a row that waits for two connections with one of them': {
        events: (store) => ({
          ...store,
          dueGroups: async (...args) => {
            const { entries, isCut } = await store.dueGroups(...args);
            return { isCut, entries: entries.filter(({ parkedFor }) => parkedFor?.includes('+') !== true) };
          },
        }),
      },
      'never closes a circuit': circuit((_seen, next) => next === null),
    }),
    ...caughtBy('pacing', 'G12', {
      'sends at once without asking what the platform takes': {
        stages: {
          createDeliver: (ports, breaker) => {
            const stage = createDeliverStage(ports, breaker);
            const boundless = createDeliverStage({ ...ports, platforms: withoutQuotas(ports) }, breaker);
            return (messages, express) => (express === undefined ? stage : boundless)(messages, express);
          },
        },
      },
      'leaves what waits for a limit to its last chance': {
        stages: {
          sweep: (ports) => runSweep({ ...ports, work: { send: async () => undefined } }),
        },
      },
      'takes a wait for a limit for an attempt that failed': {
        events: (store) => ({
          ...store,
          putDelivery: (seen, patch) => {
            const { delivery } = patch;
            if (delivery.reason !== 'platform_limit') return store.putDelivery(seen, patch);
            const attempted = { ...delivery, attempts: delivery.attempts + 1 };
            return store.putDelivery(seen, { ...patch, delivery: attempted });
          },
        }),
      },
    }),
    ...caughtBy('outage', 'G12', {
      'lets every process probe': circuit((seen, next) => seen.circuit !== undefined && next !== null),
    }),
  ];
}

const withoutQuotas = ({ platforms }: Pick<DeliverPorts, 'platforms'>) =>
  platforms.map(({ quotas: _, ...platform }) => platform);
