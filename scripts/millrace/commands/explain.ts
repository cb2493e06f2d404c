import type { Command } from '../command.ts';
import { idOf } from '../merchant-views.ts';
import { facts, table } from '../table.ts';

export const explain: Command = {
  name: 'explain',
  takes: ['<merchant>', '<event id>'],
  purpose: 'Why each platform gets an event of a merchant, or does not.',
  options: { browser: { type: 'boolean', help: 'the copy that came from the browser' } },
  prepare({ values, positionals: [merchant = '', id = ''] }) {
    const query = values.browser === true ? { trust: 'browser' as const } : {};
    return async ({ ask, within }) => {
      const { body: json } = await within(await idOf(ask, merchant), 'read', (client) =>
        client.explainEvent({ params: { id }, query }),
      );
      const { event_id, trust, trace_id, copies, verdicts } = json;
      const others = Object.entries(copies).flatMap(([copy, isThere]) => (isThere ? [copy] : []));
      const said = facts([
        ['event', event_id],
        ['copy', `${trust} (there: ${others.join(', ')})`],
        ['trace', trace_id],
      ]);
      const rows = verdicts.map(({ platform, verdict, delivery, explanation }) => [
        platform,
        verdict,
        delivery ?? '',
        explanation,
      ]);
      return { json, text: `${said}${table(['PLATFORM', 'VERDICT', 'DELIVERY', 'WHY'], rows)}` };
    };
  },
};
