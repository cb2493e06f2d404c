import { awsCostOf } from '#lib/events/domain/billing/aws-cost.ts';
import type { Command } from '../command.ts';
import { costText, count, merchantsOf } from '../merchant-views.ts';
import { table } from '../table.ts';

export const cost: Command = {
  name: 'cost',
  takes: [],
  purpose: 'What the events of each merchant cost at AWS in its month, by list prices, the dearest first.',
  prepare:
    () =>
    async ({ ask, nowMs, remark }) => {
      const { merchants, readUnits } = await merchantsOf(ask);
      remark(costText(readUnits));
      const costs = merchants.flatMap((one) => {
        if (one.state === 'unreadable' || one.usage === null) return [];
        const { since, events, replayed_events, delivered, undelivered } = one.usage;
        const seconds = Math.max(0, nowMs - Date.parse(since)) / 1_000;
        const stored = events + replayed_events;
        const { total: usd } = awsCostOf({ stored, deliveries: delivered + undelivered, seconds });
        return [{ merchant: one.id, name: one.name, since, events: stored, usd }];
      });
      const sorted = costs.toSorted((a, b) => b.usd - a.usd);
      const total = sorted.reduce((sum, { usd }) => sum + usd, 0);
      const rows = sorted.map(({ merchant, name, since, events, usd }) => [
        merchant,
        name,
        since.slice(0, 10),
        count(events),
        `$${usd.toFixed(2)}`,
      ]);
      const text = `${table(['ID', 'NAME', 'SINCE', 'EVENTS', 'AT MOST ABOUT'], rows)}$${total.toFixed(2)} for events; what costs without any: npm run cost\n`;
      return { json: { merchants: sorted, usd: total }, text };
    },
};
