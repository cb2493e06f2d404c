// What the assistant keeps, in memory, as DynamoDB keeps it.
import type { DailyBudget } from '#lib/core/assistant/budget.ts';
import type { OneTimeStore } from '#lib/core/assistant/confirmations.ts';

export function createMemoryOneTimeStore(): OneTimeStore & {
  readonly kept: ReadonlyMap<string, { readonly text: string; readonly untilMs: number }>;
} {
  const kept = new Map<string, { readonly text: string; readonly untilMs: number }>();
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  return {
    kept,
    async put(id, text, untilMs) {
      kept.set(id, { text, untilMs });
    },
    async take(id, nowMs) {
      const found = kept.get(id);
      if (found === undefined || seconds(found.untilMs) <= seconds(nowMs)) return null;
      kept.delete(id);
      return found.text;
    },
  };
}

export function createMemoryDailyBudget(): DailyBudget & {
  readonly spent: (merchantId: string, day: string) => { readonly requests: number; readonly tokens: number };
} {
  const days = new Map<string, { requests: number; tokens: number }>();
  const dayOf = (merchantId: string, day: string) => {
    const key = `${merchantId}|${day}`;
    const found = days.get(key) ?? { requests: 0, tokens: 0 };
    days.set(key, found);
    return found;
  };
  return {
    spent: (merchantId, day) => ({ ...dayOf(merchantId, day) }),
    async begin(merchantId, day, limit) {
      const spent = dayOf(merchantId, day);
      if (spent.requests >= limit.requests || spent.tokens >= limit.tokens) return false;
      spent.requests++;
      return true;
    },
    async spend(merchantId, day, tokens) {
      dayOf(merchantId, day).tokens += tokens;
    },
  };
}
