// Ports for taking mails in. They include everything that draining an outbox needs.
import type { TenantMac } from '#lib/core/ports/tenant-mac.ts';
import type { MailParser, ObjectStore } from '#lib/helpdesk/ports/mail.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

/** What happened to a mail; without personal data. */
export interface MailOutcome {
  readonly outcome: 'opened' | 'joined' | 'known' | 'ignored' | 'quarantined';
  readonly reason: string | null;
  /** The key of the original. */
  readonly key: string;
}

export interface MailInPorts extends DrainPorts {
  /** Where SES puts mails, under `bucket`. */
  readonly objects: Pick<ObjectStore, 'read' | 'readStart'>;
  readonly bucket: string;
  readonly parse: MailParser;
  readonly macs: TenantMac;
  /** Domain of our addresses. */
  readonly mailDomain: string;
  /** True if there is such a workspace. */
  readonly isWorkspace: (workspaceId: string) => Promise<boolean>;
  /** Called for every mail. */
  readonly noted: (outcome: MailOutcome) => void;
}
