// Erasures in the config table: jobs of the kind ERASURE (job-store.ts).
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Erasure } from '../../../events/domain/erasure.ts';
import type { ErasureStore } from '../../../events/ports/erasure-store.ts';
import { createJobStore } from './job-store.ts';

export function createErasureStore(db: DynamoDBDocumentClient, table: string): ErasureStore {
  const jobs = createJobStore<Erasure>(db, table, 'ERASURE');
  return {
    createErasure: jobs.create,
    erasure: jobs.read,
    listErasures: jobs.list,
    expiredErasures: jobs.expired,
    writeErasure: jobs.write,
    deleteErasure: jobs.remove,
  };
}
