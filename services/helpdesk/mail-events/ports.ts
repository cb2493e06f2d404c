// What listening to the mail provider needs from the outside. It has all that carrying out an outbox needs.
import type { MailSender } from '#lib/helpdesk/ports/mail.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

export interface MailEventPorts extends DrainPorts {
  readonly sender: Pick<MailSender, 'messageIdOf'>;
  /** Called for each mail that came back for good. Absent where nothing is measured. */
  readonly bounced?: () => void;
}
