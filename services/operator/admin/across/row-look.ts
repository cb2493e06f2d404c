// An operator prints a stored row with what is personal, which the command reads with credentials of its own. Guarantees: the
// merchant's audit log names the operator and the row before the command is answered.
import * as z from 'zod';
import { line } from '#lib/core/routes/wire.ts';
import { merchantId } from '../fields.ts';
import { noteLook } from '../look.ts';
import type { OperatorPorts } from '../ports.ts';
import { NO_MERCHANT, type Refused } from '../refused.ts';

/** `row`: its key. */
export const rowLooked = z.strictObject({ merchant: merchantId, row: line(1_000) });

export async function lookAtRow(
  { merchant: id, row }: z.output<typeof rowLooked>,
  actor: string,
  ports: OperatorPorts,
): Promise<{ readonly noted: true } | Refused> {
  if ((await ports.config.merchantNow(id)) === null) return NO_MERCHANT;
  await noteLook(id, { actor, action: 'merchant.row' }, ports, row);
  return { noted: true };
}
