// More merchants for a running embedded host, written into its tables: each with an API key and a connection to every
// platform, as the seeded one has, or to some.
import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import { type EmbeddedHost, tablesOf } from './embedded-host.ts';
import { MEASURED_PLATFORMS } from './measured-platforms.ts';
import { connectPlatforms, plantMerchant } from './planted-merchant.ts';

/** Returns the key of each. Takes effect at once: no process has cached the keys yet. `connected`: slugs. */
export async function addMerchants(
  host: EmbeddedHost,
  count: number,
  connected: readonly string[] = MEASURED_PLATFORMS,
): Promise<readonly string[]> {
  const { db, tableOf } = await tablesOf(host);
  const config = { db, table: tableOf(/config/i), clock: systemClock };
  const wrapper = await createKeyFileWrapper(`${host.dataDir}/vault.key`);
  const added: string[] = [];
  while (added.length < count) {
    const merchantId = randomUUID();
    const draft = {
      merchantId,
      keysOf: 'evk_test',
      scopes: ['events:write'],
      secrets: [randomBytes(32)],
    } as const;
    added.push(...(await plantMerchant(config, draft)));
    await connectPlatforms(config, wrapper, merchantId, connected);
  }
  db.destroy();
  return added;
}
