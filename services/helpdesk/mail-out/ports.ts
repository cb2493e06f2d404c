// What sending replies needs from the outside. It has all that carrying out an outbox needs.
import type { TenantMac } from '#lib/core/ports/tenant-mac.ts';
import type { Patience } from '#lib/helpdesk/domain/mail/transition.ts';
import type { MailComposer, MailSender } from '#lib/helpdesk/ports/mail.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

export interface MailOutPorts extends DrainPorts {
  readonly sender: MailSender;
  readonly patience: Patience;
  readonly compose: MailComposer;
  readonly macs: TenantMac;
  /** Domain of our addresses. */
  readonly mailDomain: string;
  /** How customers know a workspace that was given no name. */
  readonly workspaceName: (workspaceId: string) => Promise<string>;
}
