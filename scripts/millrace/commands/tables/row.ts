import type { Command, Option } from '../../command.ts';
import { idOf } from '../../merchant-views.ts';
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
    plain: { type: 'boolean', help: 'with what is personal' },
  },
  prepare:
    ({ values }) =>
    async ({ deployment, ask }) => {
      const [{ createDocumentClient }, { textOfRow }] = await Promise.all([
        import('#lib/adapters/dynamodb/core/client.ts'),
        import('./stored-row.ts'),
      ]);
      const named = typeof values.merchant === 'string' ? { merchant: await idOf(ask, values.merchant) } : {};
      const db = createDocumentClient();
      try {
        const found = await textOfRow({ ...values, ...named } as RowOptions, deployment.tables, db);
        if (found === null) throw new Error('There is no such row.');
        return { json: undefined, text: `${found}\n` };
      } finally {
        db.destroy();
      }
    },
};
