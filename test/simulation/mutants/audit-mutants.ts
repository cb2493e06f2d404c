// Ways to audit and to see nothing, or to see it and leave it.
import type { RecountMessage } from '#services/events/reconcile/message.ts';
import { createReconcileStage } from '#services/events/reconcile/stage.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

type Ports = Parameters<typeof createReconcileStage>[0];

export function auditMutants(): Mutant[] {
  const auditing = (change: (ports: Ports) => Partial<Ports>): Mutation => ({
    stages: {
      createReconcile: (ports, found) => createReconcileStage({ ...ports, ...change(ports) }, found),
    },
  });
  const sending = (change: (body: RecountMessage) => RecountMessage | null): Mutation =>
    auditing(({ recounts }) => ({
      recounts: {
        send: async (messages) => {
          const changed = messages.flatMap((message) => {
            const body = change(message.body);
            return body === null ? [] : [{ ...message, body }];
          });
          if (changed.length > 0) await recounts.send(changed);
        },
      },
    }));
  return caughtBy('audits', 'G11', {
    'recounts the shard that everybody has': auditing(({ counters }) => ({
      counters: { ...counters, openedShards: async () => [] },
    })),
    'compares an hour with its minutes and no minute with its rows': sending((body) =>
      'minutes' in body ? null : body,
    ),
    'recounts the first merchant of a listing': sending((body) =>
      'merchants' in body ? { ...body, merchants: body.merchants.slice(0, 1) } : body,
    ),
    'says what is wrong and has nobody count it anew': auditing(() => ({
      counterRefresh: { send: async () => undefined },
    })),
    'takes what analytics says for what the rows say': auditing(({ counters }) => ({
      events: { received: async () => ({ keys: [] }), readMany: async () => ({ rows: [], unreadable: [] }) },
      counters: { ...counters, read: async () => null, range: async () => [] },
    })),
  });
}
