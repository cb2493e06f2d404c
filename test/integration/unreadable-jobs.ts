// Jobs and incidents of a merchant, for the test that spoils every kind of item.
import { foundIncident } from '../../lib/events/domain/connections/incident.ts';
import { NO_COUNTS } from '../../lib/events/domain/erasure/erasure.ts';
import { NO_RECONCILIATION_COUNTS } from '../../lib/events/domain/reconciliation/reconciliation.ts';
import { NO_PROGRESS } from '../../lib/events/domain/replays/plan.ts';
import type { ErasureStore } from '../../lib/events/ports/erasure-store.ts';
import type { IncidentStore } from '../../lib/events/ports/incident-store.ts';
import type { ReconciliationStore } from '../../lib/events/ports/reconciliation-store.ts';
import type { ReplayStore } from '../../lib/events/ports/replay-store.ts';
import { NOW } from '../contract/api-host.ts';

const DAY_MS = 86_400_000;

interface JobStores {
  readonly erasures: Pick<ErasureStore, 'createErasure'>;
  readonly jobs: Pick<ReconciliationStore, 'createReconciliation'>;
  readonly plans: Pick<ReplayStore, 'createPlan'>;
}

/** One of each kind. */
export async function putJobs(
  merchantId: string,
  id: string,
  { erasures, jobs, plans }: JobStores,
): Promise<void> {
  const job = {
    merchantId,
    id: id,
    createdAtMs: NOW,
    updatedAtMs: NOW,
    expiresAtMs: NOW + DAY_MS,
    version: 1,
    notBeforeMs: NOW,
  };
  await erasures.createErasure({
    ...job,
    state: 'running',
    subjectDigest: 'd',
    sealedSubject: 's',
    pass: 1,
    fromMs: NOW,
    counts: NO_COUNTS,
  });
  await jobs.createReconciliation({
    ...job,
    state: 'running',
    fromMs: NOW - DAY_MS,
    toMs: NOW,
    places: [{ slot: 'meta', platform: 'meta', sinceVersion: 1 }],
    upload: { orders: 1, repeated: 0, withValue: 0, withCurrency: 0, withTime: 0 },
    parts: [{ version: 1, pieces: 1 }],
    counts: NO_RECONCILIATION_COUNTS,
  });
  await plans.createPlan({
    merchantId,
    id: id,
    createdAtMs: NOW,
    updatedAtMs: NOW,
    state: 'done',
    version: 1,
    step: 1,
    filter: { fromMs: NOW - DAY_MS, toMs: NOW },
    only: 'undelivered',
    dedupe: 'original',
    dryRun: false,
    rate: 50,
    progress: NO_PROGRESS,
  });
}

export async function putIncidents(
  merchantId: string,
  incidents: Pick<IncidentStore, 'writeIncident'>,
): Promise<void> {
  for (const subject of ['browser_events', 'server_events']) {
    const facts = { used: 90, limit: 100 };
    const found = { merchantId, kind: 'limit', subject, sinceMs: NOW, facts } as const;
    await incidents.writeIncident(foundIncident(null, found, NOW), 0);
  }
}
