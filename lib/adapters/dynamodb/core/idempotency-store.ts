// Idempotency keys: one item of the rates table for each, moved by conditional writes.
//   pk SHA-256 of the key's id   d digest of the request   h holder   u end of the lease, ms   a sealed answer
//   r the first holder, where it is another one   expires TTL, seconds

import * as z from 'zod';
import type { IdempotencyStore } from '#lib/core/http/idempotency.ts';
import { decodeItem, formatAttribute } from '#lib/core/record/stored-item.ts';
import { type Condition, type Db, getItem, putItem, updateItem } from './items/commands.ts';
import { defineRate, rateKey } from './limits/rate-kind.ts';

export const IDEMPOTENCY_KEY = defineRate({
  what: 'idempotency key',
  marks: ['d', 'h', 'u'],
  schema: z.looseObject({
    d: z.string(),
    h: z.string(),
    u: z.number(),
    a: z.string().exactOptional(),
    r: z.string().exactOptional(),
    expires: z.number(),
  }),
  personal: ['a'],
  whenUnreadable: 'unavailable',
  meaning: 'A request with its key is answered 503: it is neither done twice nor refused as another one.',
});

type Claim = Parameters<IdempotencyStore['begin']>[1];

const HOLDS = 'h = :holder AND attribute_not_exists(a)';
/** A record can end between the write that it refused and the read of it. */
const TRIES_MAX = 3;

export function createIdempotencyStore(db: Db, table: string): IdempotencyStore {
  const rates = { db, table };
  const keyOf = (id: string) => rateKey('idempotency', id);
  const claimed = (
    id: string,
    { digest, holder, leaseEndMs, untilMs }: Claim,
    idRoot: string,
    condition: Condition,
  ): Promise<boolean> => {
    const first = idRoot === holder ? {} : { r: idRoot };
    const expires = Math.ceil(untilMs / 1_000);
    const claim = { d: digest, h: holder, ...first, u: leaseEndMs, expires };
    return putItem(rates, { ...keyOf(id), ...formatAttribute(IDEMPOTENCY_KEY), ...claim }, condition);
  };
  return {
    async begin(id, claim, nowMs) {
      const { digest, holder } = claim;
      for (let attempt = 1; ; attempt++) {
        // TTL deletes late: a record that has expired is none.
        const unknown = {
          condition: 'attribute_not_exists(pk) OR expires <= :nowSec',
          values: { ':nowSec': Math.floor(nowMs / 1_000) },
        };
        if (await claimed(id, claim, holder, unknown)) return { idRoot: holder };
        const item = await getItem(rates, keyOf(id));
        if (item !== undefined) {
          const { d, h, u, a, r } = decodeItem(IDEMPOTENCY_KEY, item);
          const kept = { digest: d, answer: a ?? null };
          if (kept.answer !== null || kept.digest !== digest || u > nowMs) return kept;
          const idRoot = r ?? h;
          const ended = { condition: `${HOLDS} AND u <= :now`, values: { ':holder': h, ':now': nowMs } };
          if (await claimed(id, claim, idRoot, ended)) return { idRoot };
        }
        if (attempt === TRIES_MAX) return { digest, answer: null };
      }
    },

    async finish(id, holder, answer) {
      const values = { ':holder': holder, ':answer': answer };
      await updateItem(rates, keyOf(id), { update: 'SET a = :answer', condition: HOLDS, values });
    },

    async release(id, holder) {
      const values = { ':holder': holder, ':ended': 0 };
      await updateItem(rates, keyOf(id), { update: 'SET u = :ended', condition: HOLDS, values });
    },
  };
}
