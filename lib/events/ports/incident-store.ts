// Incidents of merchants that are kept. Every method that writes is one conditional write to one item.
import type { KeptIncident } from '../domain/connections/incident.ts';

export interface IncidentStore {
  /** Consistent. `id`: see `incidentId`. */
  incident(merchantId: string, id: string): Promise<KeptIncident | null>;
  /** Consistent; those that cannot be read are left out. One for each kind and subject: bounded. */
  listIncidents(merchantId: string): Promise<readonly KeptIncident[]>;
  /** Writes `next`, under `seenVersion + 1`, if the stored version is still `seenVersion`; 0: there is none. */
  writeIncident(next: KeptIncident, seenVersion: number): Promise<boolean>;
}
