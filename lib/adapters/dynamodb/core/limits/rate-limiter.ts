// A sliding window that is exact: the last 30 grants of one caller in one item, moved by one conditional write.
// Never more than 30 in any 60 seconds, however many hosts decide at once; never fewer.
//   pk SHA-256 of merchant and address   r ring of grant times, ms, oldest first   v version   expires TTL, seconds

import * as z from 'zod';
import { decodeOrAbsent, formatAttribute } from '#lib/core/record/stored-item.ts';
import { addressBlock } from '#lib/core/work/address-block.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { slideWindow, type WindowLimit } from '#lib/core/work/sliding-window.ts';
import { type Db, getItem, ifVersion, putItem } from '../items/commands.ts';
import { defineRate, rateKey } from './rate-kind.ts';

const TRIES_MAX = 40;

export const GRANT_RING = defineRate({
  what: 'last grants of a caller',
  marks: ['r', 'v'],
  schema: z.looseObject({ r: z.array(z.number()), v: z.number(), expires: z.number() }),
  personal: ['pk'],
  whenUnreadable: 'absent',
  meaning: 'Its caller begins with an empty window.',
});

/** What cannot be read is written over: an empty window may grant its caller more, once. */
const IF_THERE = { condition: 'attribute_exists(pk)' };

export function createRateLimiter(
  db: Db,
  table: string,
  limit: WindowLimit,
  pause: (ms: number) => Promise<void>,
) {
  const rates = { db, table };
  const wait = (attempt: number): Promise<void> =>
    pause(Math.min(5 * 2 ** Math.min(attempt, 5), 100) * (attempt % 3) * 0.5);
  return {
    async take(
      caller: { readonly merchantId: string; readonly clientIp: string },
      wanted: number,
      nowMs: number,
    ): Promise<{ granted: number; remaining: number; retryAfterSec: number }> {
      // The address is personal data: it is kept as a digest, and only for the window.
      const key = rateKey(caller.merchantId, addressBlock(caller.clientIp));
      const retries = { what: 'the rate limit of one caller', triesMax: TRIES_MAX, pause: wait };
      return await retryConflicts(retries, async () => {
        const item = await getItem(rates, key);
        const seen = decodeOrAbsent(GRANT_RING, item);
        const version = seen?.v ?? 0;
        const step = slideWindow(seen?.r ?? [], wanted, nowMs, limit);
        if (step.granted === 0) return step;
        const expires = Math.ceil(nowMs / 1000) + 3_600;
        const next = { ...key, ...formatAttribute(GRANT_RING), r: step.ring, v: version + 1, expires };
        const isSpoiled = item !== undefined && seen === undefined;
        return (await putItem(rates, next, isSpoiled ? IF_THERE : ifVersion(version))) ? step : CONFLICT;
      });
    },
  };
}
