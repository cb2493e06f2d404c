// Idempotency keys in memory, as DynamoDB keeps them.
import type { IdempotencyStore } from '#lib/core/http/idempotency.ts';

interface Kept {
  readonly digest: string;
  readonly holder: string;
  readonly leaseEndMs: number;
  readonly untilMs: number;
  readonly answer: string | null;
  readonly idRoot: string;
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
      const known = found === undefined || found.untilMs <= nowMs ? null : found;
      if (known !== null) {
        const { digest, answer, leaseEndMs } = known;
        if (answer !== null || digest !== claim.digest || leaseEndMs > nowMs) return { digest, answer };
      }
      const idRoot = known?.idRoot ?? claim.holder;
      kept.set(id, { ...claim, answer: null, idRoot });
      return { idRoot };
    },
    async finish(id, holder, answer) {
      const found = held(id, holder);
      if (found !== undefined) kept.set(id, { ...found, answer });
    },
    async release(id, holder) {
      const found = held(id, holder);
      if (found !== undefined) kept.set(id, { ...found, leaseEndMs: 0 });
    },
  };
}
