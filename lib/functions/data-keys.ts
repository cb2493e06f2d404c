// What a vault or a tenant's MAC is made of: data keys from the config table, wrapped by a key file or by KMS.
import { systemClock } from '../adapters/clock/system-clock.ts';
import { createDataKeyStore } from '../adapters/dynamodb/core/keys/data-keys.ts';
import { chooseWrapper } from '../adapters/vault/choose-wrapper.ts';
import type { DataKeyParts } from '../adapters/vault/data-key-cache.ts';
import type { FunctionBase } from './function-base.ts';

export interface DataKeySettings {
  readonly CONFIG_TABLE: string;
  readonly VAULT_KEY_ARN?: string | undefined;
  readonly VAULT_KEY_FILE?: string | undefined;
}

export async function dataKeyParts(
  { db }: Pick<FunctionBase, 'db'>,
  { CONFIG_TABLE, VAULT_KEY_ARN, VAULT_KEY_FILE }: DataKeySettings,
): Promise<DataKeyParts> {
  return {
    wrapper: await chooseWrapper({ keyArn: VAULT_KEY_ARN, keyFile: VAULT_KEY_FILE }),
    keys: createDataKeyStore(db, CONFIG_TABLE),
    clock: systemClock,
  };
}
