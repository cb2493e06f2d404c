// Contacts: one for each address of a workspace.
import type { Handlers } from '#lib/core/http/handler.ts';
import { contactView } from '#lib/helpdesk/domain/wire-views.ts';
import type { CONTACT_ROUTES } from '#lib/helpdesk/routes/contacts.ts';
import { answered, answeredUnlessKnown, listed, NOT_FOUND, shown } from '../answers.ts';
import { changeContact, writeContact } from '../contacts/change.ts';
import { listContacts } from '../contacts/list.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { askedBy } from '../tickets/act-on-ticket.ts';
import { askedOf } from '../tickets/actions.ts';

export function contactHandlers(ports: HelpdeskApiPorts): Handlers<(typeof CONTACT_ROUTES)[number]> {
  return {
    async findContacts({ caller, query }) {
      const { limit, ...asked } = query;
      const found = await listContacts(caller.merchantId, asked, { limit, offset: 0 }, ports);
      return listed({ contacts: found.contacts.map(contactView), total: found.total }, found);
    },

    async upsertContact(call) {
      const { email, ...facts } = call.body;
      const changed = await writeContact({ ...askedBy(call), email, mode: 'upsert' }, facts, ports);
      if ('failure' in changed) throw new Error(`an upsert does not end as ${changed.failure}`);
      const { record, etag } = changed;
      return { status: 200, body: { success: true, contact: contactView(record) }, headers: { etag } };
    },

    async listContacts({ caller, query }) {
      const { limit, offset, ...asked } = query;
      const found = await listContacts(caller.merchantId, asked, { limit, offset }, ports);
      const contacts = found.contacts.map(contactView);
      return listed({ contacts, total: found.total, limit, offset }, found);
    },

    async createContact(call) {
      const { email, custom_fields: metadata, ...facts } = call.body;
      const asked = { ...askedBy(call), email, mode: 'create' } as const;
      const changed = await writeContact(asked, { ...facts, metadata }, ports);
      if ('failure' in changed) return changed;
      const { record, etag } = changed;
      const headers = { etag, location: `/api/v1/contacts/${record.id}` };
      return { status: 201, body: contactView(record), headers };
    },

    async getContact({ caller, params, headers }) {
      const stored = await ports.stores.contacts.read(caller.merchantId, params.id);
      return stored === null ? NOT_FOUND : answeredUnlessKnown(shown(stored), headers, contactView);
    },

    async updateContact(call) {
      const { custom_fields: metadata, mail_stopped: mailStopped, ...facts } = call.body;
      const changed = await changeContact(askedOf(call), { ...facts, metadata, mailStopped }, ports);
      return 'failure' in changed ? changed : answered(changed, contactView);
    },
  };
}
