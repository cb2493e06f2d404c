// Idempotency keys in memory, as DynamoDB keeps them.
import type { IdempotencyStore } from '../../../lib/core/http/idempotency.ts';

interface Kept {
  readonly digest: string;
  readonly holder: string;
  readonly leaseEndMs: number;
  readonly untilMs: number;
  readonly answer: string | null;
}

export function createMemoryIdempotencyStore(): IdempotencyStore & {
  readonly kept: ReadonlyMap<string, Kept>;
} {
  const kept = new Map<string, Kept>();
  const held = (id: string, holder: string): Kept | undefined => {
    const found = kept.get(id);
    return found?.holder === holder && found.answer === null ? found : undefined;
  };
  return {
    kept,
    async begin(id, claim, nowMs) {
      const found = kept.get(id);
      const isFree =
        found === undefined ||
        found.untilMs <= nowMs ||
        (found.answer === null && found.leaseEndMs <= nowMs && found.digest === claim.digest);
      if (!isFree) return { digest: found.digest, answer: found.answer };
      kept.set(id, { ...claim, answer: null });
      return 'begun';
    },
    async finish(id, holder, answer) {
      const found = held(id, holder);
      if (found !== undefined) kept.set(id, { ...found, answer });
    },
    async release(id, holder) {
      if (held(id, holder) !== undefined) kept.delete(id);
    },
  };
}
