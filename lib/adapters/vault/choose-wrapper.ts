import { createKeyFileWrapper } from './key-file-wrapper.ts';
import type { KeyWrapper } from './key-wrapper.ts';
import { createKmsWrapper } from './kms-wrapper.ts';

/** The key file when one is named, else the KMS key. Throws when neither is. */
export async function chooseWrapper(config: {
  readonly keyFile?: string | undefined;
  readonly keyArn?: string | undefined;
}): Promise<KeyWrapper> {
  if (config.keyFile !== undefined && config.keyFile !== '') return createKeyFileWrapper(config.keyFile);
  if (config.keyArn !== undefined && config.keyArn !== '') return createKmsWrapper(config.keyArn);
  throw new Error('set VAULT_KEY_ARN, or VAULT_KEY_FILE on a laptop');
}
