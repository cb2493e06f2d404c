// Contacts: one for each address of a workspace.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/account/limits.ts';
import {
  byKey,
  byScope,
  CAPPED,
  count,
  ETAG,
  email,
  freeForm,
  idParams,
  ifMatch,
  ifNoneMatch,
  openLine,
  paged,
  success,
  time,
} from './wire.ts';

const free = z.record(z.string(), z.unknown());

export const contact = z
  .object({
    id: z.guid(),
    email: z.string(),
    firstname: z.string().nullable(),
    lastname: z.string().nullable(),
    company: z.string().nullable(),
    phone: z.string().nullable(),
    name: z.string().nullable(),
    metadata: free,
    custom_fields: free.meta({ description: 'The same as `metadata`.' }),
    mail_stopped: z
      .object({ since: time, reason: z.enum(['bounced', 'complained']) })
      .nullable()
      .meta({
        description:
          'Since when its address is sent no mail, and why: an earlier one came back, or was unwanted.',
      }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Contact' });

const name = openLine(TEXT_LIMITS.nameChars).optional();
const company = openLine(TEXT_LIMITS.companyChars).optional();
const phone = openLine(TEXT_LIMITS.phoneChars).optional();
const metadata = freeForm(TEXT_LIMITS.metadataBytes)
  .optional()
  .meta({ description: 'Merged with what is kept, key by key; a null takes a key away.' });

/** Only a mail that came back stops mail: callers end that. */
const mailAllowed = z
  .literal([false, null], { error: 'must be false or null: it can be ended, not begun' })
  .transform(() => null)
  .optional()
  .meta({ type: ['boolean', 'null'], description: 'Has mail sent to the address again.' });

const legacy = { part: 'helpdesk', rateLimit: { perMinute: 60 } } as const;
const shared = { part: 'helpdesk', rateLimit: { perMinute: 60 }, cors: 'listed' } as const;
const texts = { not_found: 'Contact not found', conflict: 'Contact already exists' } as const;
const search = searchParam(TEXT_LIMITS.searchChars);

export const findContacts = defineRoute({
  ...legacy,
  id: 'findContacts',
  method: 'GET',
  path: '/api/contacts',
  summary: 'Contacts, newest first',
  auth: byKey('read:contacts'),
  query: z.strictObject({
    limit: limitParam(50, 100),
    search,
    list: searchParam(TEXT_LIMITS.searchChars).meta({
      description: 'Those whose `metadata.list` is this, or whose `metadata.lists` has it.',
    }),
  }),
  replies: {
    200: z.object({ success, contacts: z.array(contact), total: count }).meta({ id: 'ContactListResponse' }),
  },
  replyHeaders: CAPPED,
  errors: [],
});

export const upsertContact = defineRoute({
  ...legacy,
  id: 'upsertContact',
  method: 'POST',
  path: '/api/contacts',
  summary: 'Create the contact of this address, or change what is given of it',
  auth: byKey('write:contacts'),
  idempotent: true,
  body: z.strictObject({ email, name, firstname: name, lastname: name, company, phone, metadata }),
  replies: { 200: z.object({ success, contact }).meta({ id: 'ContactResponse' }) },
  replyHeaders: ETAG,
  errors: [],
});

export const listContacts = defineRoute({
  ...shared,
  id: 'listContacts',
  method: 'GET',
  path: '/api/v1/contacts',
  summary: 'Contacts, newest first',
  auth: byScope('read:contacts'),
  query: z.strictObject({
    search,
    email: email.optional(),
    limit: limitParam(50, 100),
    offset: offsetParam(OFFSET_MAX),
  }),
  replies: { 200: z.object({ success, contacts: z.array(contact), ...paged }) },
  replyHeaders: CAPPED,
  errors: [],
});

export const createContact = defineRoute({
  ...shared,
  id: 'createContact',
  method: 'POST',
  path: '/api/v1/contacts',
  summary: 'Create the contact of this address; its id is in `x-conflict-id` where there is one',
  auth: byScope('write:contacts'),
  rateLimit: { perMinute: 30 },
  texts,
  idempotent: true,
  body: z.strictObject({ email, name, phone, company, custom_fields: metadata }),
  replies: { 201: contact },
  replyHeaders: { ...ETAG, location: 'Path of the contact.' },
  errors: ['conflict'],
});

export const getContact = defineRoute({
  ...shared,
  id: 'getContact',
  method: 'GET',
  path: '/api/v1/contacts/:id',
  summary: 'One contact',
  auth: byScope('read:contacts'),
  texts,
  params: idParams,
  headers: ifNoneMatch,
  replies: { 200: contact, 304: null },
  replyHeaders: ETAG,
  errors: ['not_found'],
});

export const updateContact = defineRoute({
  ...shared,
  id: 'updateContact',
  method: 'PATCH',
  path: '/api/v1/contacts/:id',
  summary: 'Change what is given of a contact; its address stays',
  auth: byScope('write:contacts'),
  rateLimit: { perMinute: 30 },
  texts,
  params: idParams,
  headers: ifMatch,
  body: z.strictObject({
    name,
    firstname: name,
    lastname: name,
    company,
    phone,
    custom_fields: metadata,
    mail_stopped: mailAllowed,
  }),
  replies: { 200: contact },
  replyHeaders: ETAG,
  errors: ['not_found', 'precondition_failed'],
});

export const CONTACT_ROUTES = [
  findContacts,
  upsertContact,
  listContacts,
  createContact,
  getContact,
  updateContact,
] as const;
