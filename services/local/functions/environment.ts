// What a function of the template gets to see on a laptop.
import { CORE_ENV } from '#lib/core/topology.ts';
import { HELPDESK_ENV } from '#lib/helpdesk/domain/topology.ts';
import { AI_KEY_FILE } from '../assistant.ts';
import type { DataDir } from '../data-dir.ts';
import { VAULT_KEY_FILE } from '../seed.ts';
import type { FunctionSpec } from '../stack/topology.ts';

const LOOPBACK = '127.0.0.0/8, ::1/128';

/**
 * There is no KMS here, no Systems Manager and no Lambda: keys come from files of the data folder, and every queue is always
 * polled. And the webhooks of a laptop are on the laptop.
 */
export function environmentOf(
  { service, environment }: FunctionSpec,
  dataDir: DataDir,
): Readonly<Record<string, string>> {
  const { CALL_LIMITS_FACTOR } = process.env;
  const {
    [CORE_ENV.vaultKeyArn]: vaultKey,
    [CORE_ENV.aiApiKeyParameter]: aiKey,
    [CORE_ENV.eventSources]: _,
    ...others
  } = environment;
  return {
    ...others,
    ...(vaultKey === undefined ? {} : { [CORE_ENV.vaultKeyFile]: dataDir.file(VAULT_KEY_FILE) }),
    ...(aiKey === undefined ? {} : { AI_API_KEY_FILE: dataDir.file(AI_KEY_FILE) }),
    // The mailbox of a laptop knows a mail again, and the queue of what became of it dies with the host.
    ...(service === 'helpdesk-mail-out' ? { [HELPDESK_ENV.mailIdempotent]: 'true' } : {}),
    // Of tests, which ask more often than any page.
    ...(service === 'api' && CALL_LIMITS_FACTOR !== undefined ? { CALL_LIMITS_FACTOR } : {}),
    ...(service.startsWith('helpdesk-') ? { [HELPDESK_ENV.webhookPrivateCidrs]: LOOPBACK } : {}),
  };
}
