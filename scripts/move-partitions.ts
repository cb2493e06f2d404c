// Moves teams, routings and data keys of a deployment to partitions of their own: once, before the setting `ownPartitions` is true.
//
//   npm run move:partitions -- --table <name>      default: CONFIG_TABLE
//
// Region, credentials and endpoint come from AWS_REGION, AWS_PROFILE, AWS_ENDPOINT_URL as everywhere. Functions go on meanwhile. Run it
// again until it says that nothing was left: docs/deploy.md.
import { parseArgs } from 'node:util';
import { createDocumentClient } from '../lib/adapters/dynamodb/core/client.ts';
import { movePartitions } from '../lib/adapters/dynamodb/move-partitions.ts';

const { values: options } = parseArgs({ options: { table: { type: 'string' } } });
const table = options.table ?? process.env.CONFIG_TABLE ?? '';
const db = createDocumentClient();
try {
  if (table === '') throw new Error('--table is missing');
  const { teams, routings, dataKeys, left } = await movePartitions(db, table);
  if (left.length > 0)
    throw new Error(`These could not be moved; see "Quarantine" in docs/runbook.md:\n${left.join('\n')}`);
  process.stdout.write(
    teams + routings + dataKeys === 0
      ? 'Nothing was left.\n'
      : `Moved ${teams} teams and ${routings} routings, copied ${dataKeys} data keys. Run it again until nothing is left.\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  db.destroy();
}
