// An operator asks the API in a merchant's name, so that each answer is the one the merchant gets. Guarantees: the merchant's audit log
// names the operator and the key before the key is handed out, and what is done with it names the key; it ends by itself within minutes.
import * as z from 'zod';
import { hashApiKey, newApiKey } from '#lib/core/tenancy/api-key.ts';
import { iso, merchantId } from '../fields.ts';
import { noteLook } from '../look.ts';
import type { OperatorPorts } from '../ports.ts';
import { NO_MERCHANT, type Refused, suspendedBy } from '../refused.ts';

const PASS_LASTS_MS = 900_000;

/** What it opens. */
const SCOPES = { read: ['events:read', 'platforms:read'], change: ['admin'] } as const;

export const passAsked = z.strictObject({ merchant: merchantId });
export const passEnded = z.strictObject({ key: z.string().max(200) });

interface Pass {
  readonly key: string;
  readonly expires_at: string;
}

export const passTo =
  (purpose: keyof typeof SCOPES) =>
  async (
    { merchant: id }: z.output<typeof passAsked>,
    actor: string,
    ports: OperatorPorts,
  ): Promise<Pass | Refused> => {
    const { config, clock, random, secretBytes } = ports;
    const merchant = await config.merchantNow(id);
    if (merchant === null) return NO_MERCHANT;
    if (purpose === 'change' && merchant.suspension?.removal !== undefined)
      return suspendedBy(merchant.suspension, 'merchant');
    const nowMs = clock.now();
    const expiresAtMs = nowMs + PASS_LASTS_MS;
    const { secret, record } = newApiKey('evk_live', secretBytes(), {
      keyId: `pass_${random.uuidv7(nowMs)}`,
      merchantId: id,
      name: actor,
      scopes: [...SCOPES[purpose]],
      createdAtMs: nowMs,
      createdBy: actor,
      expiresAtMs,
    });
    await config.putPass(record);
    await noteLook(id, { actor, action: `merchant.${purpose}` }, ports, record.keyId);
    return { key: secret, expires_at: iso(expiresAtMs) };
  };

/** Who has it may end it. */
export const endPass = async (
  { key }: z.output<typeof passEnded>,
  _actor: string,
  { config }: OperatorPorts,
): Promise<{ readonly ended: boolean }> => ({ ended: await config.endPass(hashApiKey(key)) });
