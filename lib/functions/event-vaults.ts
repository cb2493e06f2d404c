// For functions that encrypt or decrypt: credentials with a merchant's data key, personal parts of events with its day keys.
import { systemClock } from '../adapters/clock/system-clock.ts';
import { createDayKeyStore } from '../adapters/dynamodb/core/keys/day-keys.ts';
import { createEventVault } from '../adapters/vault/event-vault.ts';
import { createVault } from '../adapters/vault/vault.ts';
import { type DataKeySettings, dataKeyParts } from './data-keys.ts';
import type { FunctionBase } from './function-base.ts';

/** What to pick from the environment. */
export const VAULT_VARIABLES = { CONFIG_TABLE: true, VAULT_KEY_ARN: true, VAULT_KEY_FILE: true } as const;

export async function eventVaults(base: FunctionBase, settings: DataKeySettings) {
  const vault = createVault(await dataKeyParts(base, settings));
  const dayKeys = createDayKeyStore(base.db, settings.CONFIG_TABLE);
  return { vault, eventVault: createEventVault({ vault, dayKeys, clock: systemClock }) };
}
