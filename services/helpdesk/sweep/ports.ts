// What the helpdesk's sweeper needs from the outside.
import type { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

export interface SweepPorts extends DrainPorts {
  /** Called for each record that cannot be read. */
  readonly quarantine: (found: UnreadableRecord) => void;
}
