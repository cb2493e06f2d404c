// Erasures in the config table: jobs of the kind ERASURE (job-store.ts).
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type Erasure, STORED_ERASURE } from '#lib/events/domain/erasure/erasure.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';
import { createJobStore, defineTask } from './job-store.ts';

export const ERASURES = defineTask<Erasure>({
  prefix: 'ERASURE',
  what: 'erasure',
  schema: STORED_ERASURE,
  personal: ['subjectDigest', 'sealedSubject', 'sealedPerson'],
  meaning: 'Erasures are listed without it; it goes on once it can be read, and never expires before.',
});

export function createErasureStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine?: ItemQuarantine,
): ErasureStore {
  const jobs = createJobStore(db, table, ERASURES, quarantine);
  return {
    createErasure: jobs.create,
    erasure: jobs.read,
    listErasures: jobs.list,
    expiredErasures: jobs.expired,
    writeErasure: jobs.write,
    deleteErasure: jobs.remove,
  };
}
