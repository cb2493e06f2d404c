// What is kept of one customer: all of it at once, and its end.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { defineRoute } from '../../core/http/route.ts';
import { auditEntryBody } from './audit-log.ts';
import { contact } from './contacts.ts';
import { plainMessage } from './messages.ts';
import { run } from './runs.ts';
import { ticket } from './tickets.ts';
import { idParams, successReply, v1 } from './wire.ts';

const shared = {
  ...v1('manage:workspace'),
  texts: { not_found: 'Contact not found' },
  params: idParams,
} as const;

export const exportContact = defineRoute({
  ...shared,
  id: 'exportContact',
  method: 'GET',
  path: '/api/v1/contacts/:id/export',
  summary: 'All that is kept of a contact, in pages of up to 1,000 messages',
  query: z.strictObject({
    cursor: z.string().min(1).max(600).optional().meta({ description: '`next_cursor` of the page before.' }),
  }),
  replies: succeeds({
    contact,
    tickets: z.array(ticket),
    messages: z.array(plainMessage),
    runs: z.array(run),
    events: z.array(auditEntryBody).meta({
      description:
        'What the audit log has of the contact, among its newest 10,000 entries; on the first page.',
    }),
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  }),
  errors: ['not_found'],
});

export const eraseContact = defineRoute({
  ...shared,
  id: 'eraseContact',
  method: 'DELETE',
  path: '/api/v1/contacts/:id',
  summary:
    'Erase a contact: its record goes, its tickets keep their code, state and times, and what it wrote is taken out of them',
  replies: { 202: successReply },
  errors: ['not_found'],
});

export const PRIVACY_ROUTES = [exportContact, eraseContact] as const;
