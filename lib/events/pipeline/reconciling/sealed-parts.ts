// The orders of a reconciliation as they rest: in parts, each sealed under the merchant's data key for this job, its place in it
// and its version alone. Throws where a part is missing or does not open.
import type { Vault } from '#lib/core/ports/vault.ts';
import {
  cutPieces,
  packPart,
  type ReconciledOrder,
  unpackPart,
} from '../../domain/reconciliation/reconciled-part.ts';
import type { PartRef, Reconciliation } from '../../domain/reconciliation/reconciliation.ts';
import type { PartKey, ReconciliationStore } from '../../ports/reconciliation-store.ts';

const contextOf = ({ id, part, version }: PartKey): string => `reconciliation/${id}/${part}/${version}`;

export async function writePart(
  key: PartKey,
  orders: readonly ReconciledOrder[],
  ports: { readonly vault: Pick<Vault, 'seal'>; readonly store: Pick<ReconciliationStore, 'putPart'> },
): Promise<PartRef> {
  const sealed = await ports.vault.seal(key.merchantId, contextOf(key), packPart(orders));
  const pieces = cutPieces(sealed);
  await ports.store.putPart(key, pieces);
  return { version: key.version, pieces: pieces.length };
}

export async function readPart(
  { merchantId, id, parts }: Pick<Reconciliation, 'merchantId' | 'id' | 'parts'>,
  part: number,
  ports: { readonly vault: Pick<Vault, 'open'>; readonly store: Pick<ReconciliationStore, 'readPart'> },
): Promise<readonly ReconciledOrder[]> {
  const ref = parts[part];
  if (ref === undefined) throw new RangeError(`a reconciliation has no part ${part}`);
  const key: PartKey = { merchantId, id, part, version: ref.version };
  const pieces = await ports.store.readPart(key, ref.pieces);
  return unpackPart(await ports.vault.open(merchantId, contextOf(key), pieces.join('')));
}
