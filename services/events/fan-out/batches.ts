// A batch → one pointer per platform that is to have rows of it. No row is read, unless a platform is gone.
// Guarantees: a batch whose manifest is missing or cannot be read fails its own message and no other.

import { platformOf } from '#lib/events/domain/connections/target.ts';
import { type BatchKey, batchId, type Manifest } from '#lib/events/domain/deliveries/batch.ts';
import { type BatchPointer, batchesOf } from '#lib/events/domain/pointer.ts';
import { readPlacedRows } from '#lib/events/pipeline/placed-rows.ts';
import { withdrawFromBatch } from '#lib/events/pipeline/recovery/withdraw.ts';
import type { FanOutPorts } from './ports.ts';

export type Manifests = ReadonlyMap<string, Manifest>;

/** By `batchId`. What a moment's delay did not show is read again; what is not to be had is left out. */
export async function readManifests(
  messages: readonly BatchPointer[],
  { batches, report }: Pick<FanOutPorts, 'batches' | 'report'>,
): Promise<Manifests> {
  const wanted = new Map<string, BatchKey>();
  for (const body of messages)
    if (body.platform === undefined) for (const key of batchesOf(body)) wanted.set(batchId(key), key);
  const found = new Map<string, Manifest>();
  for (const consistency of ['eventual', 'strong'] as const) {
    const keys = [...wanted].flatMap(([id, key]) => (found.has(id) ? [] : [key]));
    if (keys.length === 0) break;
    try {
      const { manifests } = await batches.readMany({ manifests: keys }, consistency);
      for (const manifest of manifests) found.set(batchId(manifest.batch), manifest);
    } catch (error) {
      report('manifests could not be read', error);
    }
  }
  return found;
}

/** Slugs of the target platforms of the batches. Throws if a manifest cannot be read. */
export async function fanOutBatches(
  body: BatchPointer,
  manifests: Manifests,
  ports: FanOutPorts,
): Promise<readonly { readonly batch: BatchKey; readonly platform: string }[]> {
  const known = new Set(ports.platforms.map(({ slug }) => slug));
  const pointed = batchesOf(body).flatMap((batch) => {
    const slugs = body.platform === undefined ? targetsIn(manifestOf(batch, manifests)) : [body.platform];
    return slugs.map((platform) => ({ batch, platform }));
  });
  for (const { batch, platform } of pointed)
    if (!known.has(platformOf(platform))) await endAtGone(batch, platform, ports);
  return pointed.filter(({ platform }) => known.has(platformOf(platform)));
}

function manifestOf(batch: BatchKey, manifests: Manifests): Manifest {
  const manifest = manifests.get(batchId(batch));
  if (manifest === undefined) throw new Error('the manifest of a batch is missing or cannot be read');
  return manifest;
}

const targetsIn = ({ rows }: Manifest): readonly string[] => [
  ...new Set(rows.flatMap(({ targets }) => targets)),
];

/** The platform was taken out of the code: what waits for it ends. */
async function endAtGone(batch: BatchKey, slug: string, ports: FanOutPorts): Promise<void> {
  try {
    const { manifests } = await ports.batches.readMany({ manifests: [batch] }, 'strong');
    const [manifest] = manifests;
    if (manifest === undefined) return;
    const rows = await readPlacedRows(manifest, slug, undefined, ports.events);
    await withdrawFromBatch(batch, slug, [...rows.keys()], ports);
  } catch (error) {
    ports.report(`deliveries to ${slug}, which is gone, were not ended`, error);
  }
}
