// The customer of a ticket becomes a contact, and the ticket is linked to it. Guarantees: one contact per address and
// workspace, also when several tickets create it at once; an existing contact is not changed.
import { auditEntry } from '../../domain/audit/audit.ts';
import { newContact } from '../../domain/contacts/change.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import type { OutboxEntry, Stored } from '../../domain/outbox.ts';
import { contactTokens, searchEntries } from '../../domain/search/search-tokens.ts';
import { contactEvent } from '../../domain/webhooks/event-payload.ts';
import type { DrainPorts } from '../drain.ts';
import { storedOf } from '../stored-of.ts';

type ContactEntry = Extract<OutboxEntry, { readonly kind: 'contact' }>;

/** The contact if this call created it, with its outbox; null if it existed. */
export async function ensureContact(
  workspaceId: string,
  entry: ContactEntry,
  { stores, clock, random }: DrainPorts,
): Promise<Stored<Contact> | null> {
  const { email, name, ticketId, atMs } = entry;
  const contact = newContact({ workspaceId, email }, name === null ? {} : { name }, atMs);
  const newId = (): string => random.uuidv7(atMs);
  const created = storedOf(contact, {
    version: 1,
    outbox: creationOutbox(contact, ticketId, newId),
    timerAtMs: null,
    nowMs: clock.now(),
  });
  const isNew = await stores.contacts.put(created, null);
  await stores.contactTickets.link(workspaceId, contact.id, ticketId);
  return isNew ? created : null;
}

/** The outbox of a contact that a ticket created without a caller's request. */
function creationOutbox(contact: Contact, ticketId: string, newId: () => string): readonly OutboxEntry[] {
  const { id, workspaceId, createdAtMs: atMs } = contact;
  const made = {
    action: 'contact.created',
    resourceType: 'contact',
    resourceId: id,
    metadata: { ticket_id: ticketId },
  };
  return [
    {
      kind: 'audit',
      entry: auditEntry({ workspaceId, system: 'tickets' }, made, { id: newId(), atMs }),
    },
    ...searchEntries({ type: 'contact', recordId: id, version: 1 }, [], contactTokens(contact)),
    contactEvent('contact.created', contact, { version: 1, atMs, newId }),
  ];
}
