// Leases of runs: one item per piece of work, moved by one conditional write.
//   pk SHA-256 of the work   h holder   n step   u until, ms   expires TTL, seconds

import * as z from 'zod';
import type { RunLeases } from '#lib/core/work/run-leases.ts';
import { type Db, updateItem } from './items/commands.ts';
import { defineRate, rateKey } from './limits/rate-kind.ts';

/** Long after its end. Without a lease any worker may begin. */
const KEPT_SEC = 86_400;

export const RUN_LEASE = defineRate({
  what: 'lease of a run',
  marks: ['h', 'n', 'u'],
  schema: z.looseObject({ h: z.string(), n: z.number(), u: z.number(), expires: z.number() }),
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'Its work waits until the item ends.',
});

export function createRunLeases(db: Db, table: string): RunLeases {
  return {
    async take(id, { holder, hop }, nowMs, untilMs) {
      const expires = Math.ceil(untilMs / 1_000) + KEPT_SEC;
      const [condition, seen] =
        hop === 0
          ? ['attribute_not_exists(u) OR u <= :now', { ':now': nowMs }]
          : ['h = :holder AND n = :before', { ':before': hop - 1 }];
      return await updateItem({ db, table }, rateKey('run', id), {
        update: 'SET h = :holder, n = :hop, u = :until, expires = :expires',
        condition,
        values: { ':holder': holder, ':hop': hop, ':until': untilMs, ':expires': expires, ...seen },
      });
    },
  };
}
