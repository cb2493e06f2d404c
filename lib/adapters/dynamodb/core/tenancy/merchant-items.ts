// Items of one merchant, by what their sort keys begin with. No more is read than is asked for, and never another merchant's.
import type { Table } from '../items/commands.ts';
import { profileKey } from '../items/config-item.ts';
import { beginsWith, between, decodedItems, type Wanted } from '../items/query.ts';

interface Options<T> extends Pick<Wanted<T>, 'limit' | 'forward' | 'decode'> {
  /** What follows the prefix: from `from` on, and before `to`. */
  readonly within?: { readonly from: string; readonly to: string };
}

/** Items of the merchant's partition of the config table whose sort key begins with `prefix`. A consistent read. */
export async function merchantItems<T>(
  config: Table,
  merchantId: string,
  prefix: string,
  { within, ...wanted }: Options<T>,
): Promise<T[]> {
  const { pk: hash } = profileKey(merchantId);
  if (within === undefined) return await decodedItems(config, { hash, range: beginsWith(prefix) }, wanted);
  const [from, to] = [prefix + within.from, prefix + within.to];
  if (from >= to) return [];
  return await decodedItems(config, { hash, range: between(from, to) }, { ...wanted, except: to });
}
