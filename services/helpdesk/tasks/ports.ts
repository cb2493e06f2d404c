// What the worker of tasks needs from the outside. It has all that carrying out an outbox needs.
import type { ObjectStore } from '#lib/helpdesk/ports/mail.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

export interface TaskPorts extends DrainPorts {
  /** Where the originals of mails lie; null where no e-mail is configured. */
  readonly originals: Pick<ObjectStore, 'remove'> | null;
}
