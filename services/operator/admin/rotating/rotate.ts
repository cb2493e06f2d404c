// Data keys are replaced, and what they sealed is sealed again: decision 0071. One merchant a request, in two: the first has a new key
// take the place of the old one, the second, once no process may have the old one in memory, seals again. Guarantees: what was sealed
// opens before, between and after; each step may be repeated, by several at a time, and goes on where it was broken off; a merchant is
// not done while something of it could not be read. Refuses: to begin anew what is under way.
import * as z from 'zod';
import { audited } from '#lib/core/audit-log/audited.ts';
import type { WrappedDataKey } from '#lib/core/ports/data-keys.ts';
import { DATA_KEYS_KEPT_MS, type KeyRotation } from '#lib/core/ports/key-rotation.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { iso, merchantId } from '../fields.ts';
import type { OperatorPorts } from '../ports.ts';
import { NO_MERCHANT, type Refused } from '../refused.ts';
import { type Counts, countParts, resealAll, sealedParts } from './sealed-parts.ts';

/** A process that has the old key a moment before it forgets it may still write what it seals. */
const SETTLED_AFTER_MS = DATA_KEYS_KEPT_MS + 60_000;
/** What they sealed and nothing sealed again has expired long before there are as many. */
const FORMER_MAX = 8;

const generation = z.int().min(1);
export const rotationBegun = z.strictObject({});
export const rotationEnded = z.strictObject({ rotation: generation });
export const keysRotated = z.strictObject({
  merchant: merchantId,
  /** Absent: of this merchant alone, whatever its key is. */
  rotation: generation.optional(),
  dry_run: z.boolean().optional(),
});

/** `replaced`: to be asked again when `wait_ms` are over. `none`: it has no key, or has ended. */
interface Rotated {
  readonly merchant: string;
  readonly state: 'replaced' | 'resealed' | 'left' | 'none' | 'looked_at';
  readonly wait_ms: number;
  /** In this request. */
  readonly resealed: Counts;
  readonly left: readonly string[];
}

type Asked = z.output<typeof keysRotated>;

export async function beginRotation(
  _: object,
  _actor: string,
  { rotating: { keys }, clock }: OperatorPorts,
): Promise<{ readonly rotation: number; readonly since: string; readonly is_new: boolean }> {
  const { generation, beganAtMs, isNew } = await keys.beginRotation(clock.now());
  return { rotation: generation, since: iso(beganAtMs), is_new: isNew };
}

export const endRotation = async (
  { rotation }: z.output<typeof rotationEnded>,
  _actor: string,
  { rotating: { keys }, clock }: OperatorPorts,
): Promise<{ readonly ended: boolean }> => ({ ended: await keys.endRotation(rotation, clock.now()) });

export async function rotateKeys(
  asked: Asked,
  actor: string,
  ports: OperatorPorts,
): Promise<Rotated | Refused> {
  const { merchant: id, rotation: wanted } = asked;
  const { config, rotating } = ports;
  const merchant = await config.merchantNow(id);
  if (merchant === null) return NO_MERCHANT;
  const { key, rotation } = await rotating.keys.keyOf(id);
  if (key === null || merchant.suspension?.removal !== undefined) return said(id, 'none');
  if (asked.dry_run === true) return await lookedAt(id, rotating);
  const isUnderWay = rotation !== null && rotation.resealedAtMs === null;
  if (isUnderWay && rotation.switchedAtMs !== null) return await reseal(id, rotation, ports);
  if (!isUnderWay && wanted !== undefined && rotating.rotated.isSince(key, wanted))
    return said(id, 'resealed');
  return await audited(
    { merchantId: id, actor, action: 'rotateKeys', subject: id },
    async (note) => {
      await replaceKey(id, isUnderWay ? rotation : null, ports);
      note('merchant.rotate_keys', id);
      return said(id, 'replaced', { wait_ms: SETTLED_AFTER_MS });
    },
    ports,
  );
}

const NOTHING: Counts = countParts([]);

const said = (merchant: string, state: Rotated['state'], more: Partial<Rotated> = {}): Rotated => ({
  merchant,
  state,
  wait_ms: 0,
  resealed: NOTHING,
  left: [],
  ...more,
});

async function lookedAt(id: string, { sealedStores }: OperatorPorts['rotating']): Promise<Rotated> {
  const left: string[] = [];
  const report = (unreadable: string) => void left.push(unreadable);
  const parts = await sealedParts(id, sealedStores(report), report);
  return said(id, 'looked_at', { resealed: countParts(parts), left });
}

/** `begun`: what was broken off. The old key is among the former ones before a new one takes its place. */
async function replaceKey(
  id: string,
  begun: KeyRotation | null,
  { rotating: { keys, rotated }, clock }: OperatorPorts,
): Promise<void> {
  const broken = begun ?? (await noteFormer(id, keys));
  const [replaced] = broken.former;
  if (replaced === undefined) throw new Error(`merchant ${id} has no former data key`);
  await keys.replaceKey(id, replaced, await rotated.newKey(id));
  const { version: _, ...noted } = broken;
  // Where another caller was faster it is done.
  await keys.putKeyRotation(id, broken, { ...noted, switchedAtMs: clock.now() });
}

const noteFormer = async (id: string, keys: OperatorPorts['rotating']['keys']): Promise<KeyRotation> =>
  await retryConflicts({ what: `the former data keys of ${id}` }, async () => {
    const { key, rotation } = await keys.keyOf(id);
    if (rotation !== null && rotation.resealedAtMs === null) return rotation;
    if (key === null) throw new Error(`merchant ${id} has no data key`);
    const former: readonly WrappedDataKey[] = [key, ...(rotation?.former ?? [])].slice(0, FORMER_MAX);
    const next = { former, switchedAtMs: null, resealedAtMs: null };
    const isNoted = await keys.putKeyRotation(id, rotation, next);
    return isNoted ? { ...next, version: (rotation?.version ?? 0) + 1 } : CONFLICT;
  });

async function reseal(
  id: string,
  rotation: KeyRotation,
  { rotating: { keys, rotated, sealedStores }, clock }: OperatorPorts,
): Promise<Rotated> {
  const waitMs = (rotation.switchedAtMs ?? 0) + SETTLED_AFTER_MS - clock.now();
  if (waitMs > 0) return said(id, 'replaced', { wait_ms: waitMs });
  const outcome = await resealAll(id, await rotated.resealing(id), sealedStores);
  if (outcome.left.length > 0) return said(id, 'left', outcome);
  const { version: _, ...noted } = rotation;
  await keys.putKeyRotation(id, rotation, { ...noted, resealedAtMs: clock.now() });
  return said(id, 'resealed', outcome);
}
