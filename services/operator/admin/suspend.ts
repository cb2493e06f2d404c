// A merchant is suspended, or goes on. Guarantees: the profile says so by one conditional write, and its keys follow; an attempt that
// broke off is finished by the same request. Nothing that was accepted before is touched.
import * as z from 'zod';
import { audited } from '#lib/core/audit-log/audited.ts';
import { line } from '#lib/core/routes/wire.ts';
import { iso, merchantId } from './fields.ts';
import { keysFollow } from './keys-follow.ts';
import type { OperatorPorts } from './ports.ts';
import { NO_MERCHANT, type Refused, suspendedBy } from './refused.ts';

export const merchantSuspended = z.strictObject({ merchant: merchantId, reason: line(500) });
export const merchantResumed = z.strictObject({ merchant: merchantId });

interface Said {
  readonly merchant: string;
  readonly changed: boolean;
  readonly suspended: { readonly since: string; readonly by: string; readonly reason: string } | null;
  /** That follow. */
  readonly keys: number;
}

export async function suspendMerchant(
  { merchant: id, reason }: z.output<typeof merchantSuspended>,
  actor: string,
  ports: OperatorPorts,
): Promise<Said | Refused> {
  const { config, clock } = ports;
  if ((await config.merchantNow(id)) === null) return NO_MERCHANT;
  return await audited(
    { merchantId: id, actor, action: 'suspendMerchant', subject: id },
    async (note) => {
      const done = await config.suspend(id, { atMs: clock.now(), by: actor, reason });
      if (done === null) return NO_MERCHANT;
      if (done.isNew) note('merchant.suspend', id);
      const keys = await keysFollow(id, ports);
      if (typeof keys !== 'number') return keys;
      const { atMs, ...said } = done.suspension;
      return { merchant: id, changed: done.isNew, suspended: { since: iso(atMs), ...said }, keys };
    },
    ports,
  );
}

export async function resumeMerchant(
  { merchant: id }: z.output<typeof merchantResumed>,
  actor: string,
  ports: OperatorPorts,
): Promise<Said | Refused> {
  const { config } = ports;
  const merchant = await config.merchantNow(id);
  if (merchant === null) return NO_MERCHANT;
  if (merchant.suspension?.removal !== undefined) return suspendedBy(merchant.suspension, 'merchant');
  return await audited(
    { merchantId: id, actor, action: 'resumeMerchant', subject: id },
    async (note) => {
      const changed = await config.resume(id);
      if (changed === null) return NO_MERCHANT;
      if (changed) note('merchant.resume', id);
      const keys = await keysFollow(id, ports);
      return typeof keys === 'number' ? { merchant: id, changed, suspended: null, keys } : keys;
    },
    ports,
  );
}
