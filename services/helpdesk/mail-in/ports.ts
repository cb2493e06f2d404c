// What taking mails in needs from the outside. It has all that carrying out an outbox needs.
import type { TenantMac } from '#lib/core/ports/tenant-mac.ts';
import type { MailParser, ObjectStore } from '#lib/helpdesk/ports/mail.ts';
import type { DrainPorts } from '#lib/helpdesk/work/commit.ts';

/** What became of a mail; names nobody. */
export interface MailOutcome {
  readonly outcome: 'opened' | 'joined' | 'known' | 'ignored' | 'quarantined';
  readonly reason: string | null;
  /** Where the original lies. */
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
  /** True where there is such a workspace. */
  readonly isWorkspace: (workspaceId: string) => Promise<boolean>;
  /** Told of every mail. */
  readonly noted: (outcome: MailOutcome) => void;
}
