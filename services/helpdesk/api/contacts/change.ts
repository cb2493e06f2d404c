// Changes of contacts. Guarantees: one record per address and workspace under concurrent writes; a change without
// effect writes nothing and sends no event; a request repeated with its Idempotency-Key returns what an earlier attempt
// created.
import { etagOf, meetsIfMatch } from '#lib/core/http/etag.ts';
import { auditEntry, changesOf } from '#lib/helpdesk/domain/audit/audit.ts';
import { type ContactFacts, changedContact, newContact } from '#lib/helpdesk/domain/contacts/change.ts';
import type { Contact } from '#lib/helpdesk/domain/contacts/contact.ts';
import { contactIdOf } from '#lib/helpdesk/domain/contacts/contact-id.ts';
import type { OutboxEntry, Stored } from '#lib/helpdesk/domain/outbox.ts';
import { contactTokens, searchEntries } from '#lib/helpdesk/domain/search/search-tokens.ts';
import { contactEvent } from '#lib/helpdesk/domain/webhooks/event-payload.ts';
import { type Change, change } from '#lib/helpdesk/work/commit.ts';
import { type Shown, shown } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { type Asked, askedBy } from '../tickets/act-on-ticket.ts';

export type ContactChanged =
  | { readonly ok: true; readonly contact: Shown<Contact> }
  | {
      readonly ok: false;
      readonly failure: 'not_found' | 'conflict' | 'precondition_failed';
      readonly id: string;
    };

export async function writeContact(
  asked: Asked & { readonly email: string; readonly mode: 'create' | 'upsert' },
  facts: ContactFacts,
  ports: HelpdeskApiPorts,
): Promise<ContactChanged> {
  const { email, mode, caller, idRoot } = asked;
  const workspaceId = caller.merchantId;
  const id = contactIdOf(workspaceId, email);
  return await change<Contact, ContactChanged>(
    ports.stores.contacts,
    { workspaceId, id },
    (stored) => {
      if (stored !== null && mode === 'create') {
        const isOwn = idRoot !== undefined && stored.record.idRoot === idRoot;
        return {
          result: isOwn ? { ok: true, contact: shown(stored) } : { ok: false, failure: 'conflict', id },
        };
      }
      const nowMs = ports.clock.now();
      const after =
        stored === null
          ? newContact({ workspaceId, email, idRoot }, facts, nowMs)
          : changedContact(stored.record, facts, nowMs);
      return writeOf(stored, after, asked, ports);
    },
    ports,
  );
}

export async function changeContact(
  asked: Asked & { readonly id: string; readonly ifMatch?: string | undefined },
  facts: ContactFacts,
  ports: HelpdeskApiPorts,
): Promise<ContactChanged> {
  const { id, ifMatch, caller } = asked;
  return await change<Contact, ContactChanged>(
    ports.stores.contacts,
    { workspaceId: caller.merchantId, id },
    (stored) => {
      if (stored === null) return { result: { ok: false, failure: 'not_found', id } };
      if (!meetsIfMatch(ifMatch, etagOf(stored.version)))
        return { result: { ok: false, failure: 'precondition_failed', id } };
      return writeOf(stored, changedContact(stored.record, facts, ports.clock.now()), asked, ports);
    },
    ports,
  );
}

function writeOf(
  stored: Stored<Contact> | null,
  after: Contact,
  asked: Asked,
  ports: HelpdeskApiPorts,
): Change<Contact, ContactChanged> {
  if (stored?.record === after) return { result: { ok: true, contact: shown(stored) } };
  const version = (stored?.version ?? 0) + 1;
  const contact = { record: after, etag: etagOf(version) };
  return {
    record: after,
    outbox: followingOf(stored?.record ?? null, after, version, asked, ports),
    result: { ok: true, contact },
  };
}

function followingOf(
  before: Contact | null,
  after: Contact,
  version: number,
  asked: Asked,
  { clock, random }: HelpdeskApiPorts,
): readonly OutboxEntry[] {
  const atMs = clock.now();
  const newId = (): string => random.uuidv7(atMs);
  const kind = before === null ? 'contact.created' : 'contact.updated';
  const changes = changesOf(before === null ? null : factsOf(before), factsOf(after), {
    shown: ['mailStopped'],
    hidden: ['email', 'name', 'firstname', 'lastname', 'company', 'phone', 'metadata'],
  });
  const audited = { action: kind, resourceType: 'contact', resourceId: after.id, changes };
  const tokensBefore = before === null ? [] : contactTokens(before);
  return [
    { kind: 'audit', entry: auditEntry(askedBy(asked), audited, { id: newId(), atMs }) },
    ...searchEntries({ type: 'contact', recordId: after.id, version }, tokensBefore, contactTokens(after)),
    contactEvent(kind, after, { version, atMs, newId }),
  ];
}

/** The log shows why its mail was stopped. */
const factsOf = ({ mailStopped, ...contact }: Contact) => ({
  ...contact,
  mailStopped: mailStopped?.reason ?? null,
});
