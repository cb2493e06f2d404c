// Merchants of the deployment, a page at a time, and one of them.
import * as z from 'zod';
import { cursor, merchantId } from './fields.ts';
import { lookAt, type MerchantView } from './look.ts';
import type { OperatorPorts } from './ports.ts';
import { NO_MERCHANT, type Refused } from './refused.ts';

/** Each is some ten reads. */
const PAGE = 25;

export const merchantList = z.strictObject({
  cursor,
  /** Those of this name alone, in upper or lower case. */
  name: z.string().trim().min(1).max(200).optional(),
});
export const merchantShown = z.strictObject({ merchant: merchantId });

interface Listed {
  readonly merchants: readonly (MerchantView | Unreadable)[];
  /** Null behind the last one. */
  readonly next_cursor: string | null;
  readonly read_units: number;
}
interface Unreadable {
  readonly id: string;
  readonly state: 'unreadable';
}

export const BAD_CURSOR: Refused = {
  refused: 'invalid',
  field: 'cursor',
  sentence: 'is not a next_cursor of this list',
};

export async function listMerchants(
  { cursor, name }: z.output<typeof merchantList>,
  actor: string,
  ports: OperatorPorts,
): Promise<Listed | Refused> {
  const page = await ports.pages.merchantPage(PAGE, cursor);
  if (page === null) return BAD_CURSOR;
  const isWanted = (one: string): boolean => name === undefined || folded(one) === folded(name);
  const merchants = await Promise.all(
    page.found.flatMap(({ id, merchant }): (Promise<MerchantView> | Unreadable)[] => {
      if (merchant === null) return name === undefined ? [{ id, state: 'unreadable' }] : [];
      return isWanted(merchant.name) ? [lookAt(merchant, { actor, action: 'merchant.list' }, ports)] : [];
    }),
  );
  return { merchants, next_cursor: page.next ?? null, read_units: page.readUnits };
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

export async function showMerchant(
  { merchant: id }: z.output<typeof merchantShown>,
  actor: string,
  ports: OperatorPorts,
): Promise<{ readonly merchant: MerchantView } | Refused> {
  const merchant = await ports.config.merchantNow(id);
  if (merchant === null) return NO_MERCHANT;
  return { merchant: await lookAt(merchant, { actor, action: 'merchant.show' }, ports) };
}
