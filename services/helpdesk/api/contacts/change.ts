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
import { NOT_FOUND, type Refusal, type Shown, shown } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import type { Asked } from '../tickets/act-on-ticket.ts';

interface Taken {
  readonly failure: 'conflict';
  readonly headers: { readonly 'x-conflict-id': string };
}

export async function writeContact(
  asked: Asked & { readonly email: string; readonly mode: 'create' | 'upsert' },
  facts: ContactFacts,
  ports: HelpdeskApiPorts,
): Promise<Shown<Contact> | Taken> {
  const { email, mode, caller, idRoot } = asked;
  const workspaceId = caller.merchantId;
  const id = contactIdOf(workspaceId, email);
  return await change<Contact, Shown<Contact> | Taken>(
    ports.stores.contacts,
    { workspaceId, id },
    (stored) => {
      if (stored !== null && mode === 'create') {
        const isOwn = idRoot !== undefined && stored.record.idRoot === idRoot;
        return {
          result: isOwn ? shown(stored) : { failure: 'conflict', headers: { 'x-conflict-id': id } },
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
): Promise<Shown<Contact> | Refusal> {
  const { id, ifMatch, caller } = asked;
  return await change<Contact, Shown<Contact> | Refusal>(
    ports.stores.contacts,
    { workspaceId: caller.merchantId, id },
    (stored) => {
      if (stored === null) return { result: NOT_FOUND };
      if (!meetsIfMatch(ifMatch, etagOf(stored.version)))
        return { result: { failure: 'precondition_failed' } };
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
): Change<Contact, Shown<Contact>> {
  if (stored?.record === after) return { result: shown(stored) };
  const version = (stored?.version ?? 0) + 1;
  const outbox = followingOf(stored?.record ?? null, after, version, asked, ports);
  return { record: after, outbox, result: { record: after, etag: etagOf(version) } };
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
    { kind: 'audit', entry: auditEntry(asked, audited, { id: newId(), atMs }) },
    ...searchEntries({ type: 'contact', recordId: after.id, version }, tokensBefore, contactTokens(after)),
    contactEvent(kind, after, { version, atMs, newId }),
  ];
}

/** The log shows why its mail was stopped. */
const factsOf = ({ mailStopped, ...contact }: Contact) => ({
  ...contact,
  mailStopped: mailStopped?.reason ?? null,
});
