import type { Command } from '../../command.ts';

export const migratePartitions: Command = {
  name: 'migrate partitions',
  takes: [],
  purpose:
    'Moves teams, routings and data keys to partitions of their own, once, before the setting ownPartitions; AWS credentials must be allowed to write the table.',
  prepare:
    () =>
    async ({ deployment: { tables } }) => {
      const [{ createDocumentClient }, { movePartitions }] = await Promise.all([
        import('#lib/adapters/dynamodb/core/client.ts'),
        import('#lib/adapters/dynamodb/move-partitions.ts'),
      ]);
      if (tables.config === undefined) throw new Error('This deployment names no table of merchants.');
      const db = createDocumentClient();
      try {
        const moved = await movePartitions(db, tables.config);
        const { teams, routings, dataKeys, left } = moved;
        const isOver = teams + routings + dataKeys + left.length === 0;
        const done = `Moved ${teams} teams and ${routings} routings, copied ${dataKeys} data keys. Run it again until nothing is left.\n`;
        const unmoved = `These could not be moved; see "Quarantine" in docs/runbook.md:\n${left.join('\n')}\n`;
        return {
          json: moved,
          text: isOver ? 'Nothing was left.\n' : left.length > 0 ? unmoved : done,
          isRefused: left.length > 0,
        };
      } finally {
        db.destroy();
      }
    },
};
