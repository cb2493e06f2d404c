// Incidents in the config table: jobs of the kind INCIDENT (job-store.ts), by kind and subject.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type KeptIncident, STORED_INCIDENT } from '#lib/events/domain/connections/incident.ts';
import type { IncidentStore } from '#lib/events/ports/incident-store.ts';
import { createJobStore, defineTask } from './job-store.ts';

export const INCIDENTS = defineTask<KeptIncident>({
  prefix: 'INCIDENT',
  what: 'incident',
  schema: STORED_INCIDENT,
  personal: [],
  meaning: 'Incidents are listed without it; it is not told, and does not end, until it can be read.',
});

/** Kinds times subjects, and some. */
const LISTED_MAX = 500;

export function createIncidentStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine?: ItemQuarantine,
): IncidentStore {
  const jobs = createJobStore(db, table, INCIDENTS, quarantine);
  return {
    incident: jobs.read,
    listIncidents: (merchantId) => jobs.list(merchantId, LISTED_MAX),
    writeIncident: (next, seenVersion) =>
      seenVersion === 0 ? jobs.create({ ...next, version: 1 }) : jobs.write(next, seenVersion),
  };
}
