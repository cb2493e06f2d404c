import * as z from 'zod';
import { type Command, type Given, type Option, UsageProblem } from '../../command.ts';
import { idOf } from '../../merchant-views.ts';
import type { Ask } from '../../operator-function.ts';
import type { RowOptions } from './stored-row.ts';

const text = (value: string, help: string): Option => ({ type: 'string', value, help });

export const row: Command = {
  name: 'row',
  takes: [],
  purpose:
    'One stored row, or its attributes and the problem where it cannot be read; AWS credentials must be allowed to read its table.',
  options: {
    merchant: text('id or name', 'whose it is'),
    'event-id': text('id', 'a row of an event'),
    channel: text('name', 'server, or browser'),
    archived: text('ingest id', 'as it was before its id was taken again'),
    slot: text('time', 'counters: 2026-11-21T12:00Z'),
    grain: text('name', 'minute, hour or day'),
    batch: text('id', 'the manifest of a batch'),
    minute: text('time', 'of the batch'),
    shard: text('n', 'of the batch'),
    platform: text('slug', 'instead of the manifest: what became of its rows there'),
    record: text(
      'kind',
      'of the helpdesk: ticket, contact, article, run, delivery, mail, job, account, webhooks',
    ),
    id: text('id', 'of the record'),
    pk: text('partition', 'any row of the helpdesk'),
    sk: text('sort key', 'of it'),
    table: text('name', 'another table than that of the deployment'),
    plain: { type: 'boolean', help: 'with what is personal; the audit log of the merchant then names you' },
  },
  prepare:
    ({ values }) =>
    async ({ deployment, ask }) => {
      const [{ createDocumentClient }, { textOfRow }] = await Promise.all([
        import('#lib/adapters/dynamodb/core/client.ts'),
        import('./stored-row.ts'),
      ]);
      const named = typeof values.merchant === 'string' ? { merchant: await idOf(ask, values.merchant) } : {};
      const wanted = { ...values, ...named };
      if (values.plain === true) checkOwner(wanted);
      const db = createDocumentClient();
      try {
        const found = await textOfRow(wanted as RowOptions, deployment.tables, db);
        if (found === null) throw new Error('There is no such row.');
        if (values.plain === true) await noted(ask, wanted);
        return { json: undefined, text: `${found}\n` };
      } finally {
        db.destroy();
      }
    },
};

/** Whose audit log it is. */
function checkOwner({ merchant, pk }: Given['values']): void {
  if (merchant === undefined) throw new UsageProblem('--plain takes --merchant, whose audit log names you.');
  if (typeof pk === 'string' && !pk.split('#').includes(String(merchant)))
    throw new UsageProblem('--pk is of another merchant than --merchant.');
}

/** Rejects where that is not written down: nothing is printed then. */
async function noted(ask: Ask, values: Given['values']): Promise<void> {
  const keys = Object.keys(row.options ?? {}).flatMap((name) => {
    const value = values[name];
    // Of an entry of the search it is a word of a person.
    const isWord = name === 'sk' && String(values.pk).startsWith('S#');
    return typeof value !== 'string' || name === 'merchant' || isWord ? [] : [`${name} ${value}`];
  });
  const asked = { merchant: values.merchant, row: keys.join(', ') };
  await ask('merchants/row', asked, z.object({ noted: z.literal(true) }));
}
