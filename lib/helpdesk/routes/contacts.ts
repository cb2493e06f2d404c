// Contacts: one for each address of a workspace.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/account/limits.ts';
import {
  CAPPED,
  changes,
  count,
  creates,
  ETAG,
  email,
  freeForm,
  older,
  openLine,
  paged,
  reads,
  success,
  time,
  v1,
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

const texts = { not_found: 'Contact not found', conflict: 'Contact already exists' } as const;
const search = searchParam(TEXT_LIMITS.searchChars);

export const findContacts = defineRoute({
  ...older('read:contacts'),
  id: 'findContacts',
  method: 'GET',
  path: '/api/contacts',
  summary: 'Contacts, newest first',
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
  ...older('write:contacts'),
  id: 'upsertContact',
  method: 'POST',
  path: '/api/contacts',
  summary: 'Create the contact of this address, or change what is given of it',
  idempotent: true,
  body: z.strictObject({ email, name, firstname: name, lastname: name, company, phone, metadata }),
  replies: { 200: z.object({ success, contact }).meta({ id: 'ContactResponse' }) },
  replyHeaders: ETAG,
  errors: [],
});

export const listContacts = defineRoute({
  ...v1('read:contacts'),
  id: 'listContacts',
  method: 'GET',
  path: '/api/v1/contacts',
  summary: 'Contacts, newest first',
  query: z.strictObject({
    search,
    email: email.optional(),
    limit: limitParam(50, 100),
    offset: offsetParam(OFFSET_MAX),
  }),
  replies: succeeds({ contacts: z.array(contact), ...paged }),
  replyHeaders: CAPPED,
  errors: [],
});

export const createContact = defineRoute({
  ...v1('write:contacts', 30),
  ...creates(contact, 'contact'),
  id: 'createContact',
  path: '/api/v1/contacts',
  summary: 'Create the contact of this address; its id is in `x-conflict-id` where there is one',
  texts,
  body: z.strictObject({ email, name, phone, company, custom_fields: metadata }),
  errors: ['conflict'],
});

const getContact = defineRoute({
  ...v1('read:contacts'),
  ...reads(contact),
  id: 'getContact',
  path: '/api/v1/contacts/:id',
  summary: 'One contact',
  texts,
});

const updateContact = defineRoute({
  ...v1('write:contacts', 30),
  ...changes(contact),
  id: 'updateContact',
  path: '/api/v1/contacts/:id',
  summary: 'Change what is given of a contact; its address stays',
  texts,
  body: z.strictObject({
    name,
    firstname: name,
    lastname: name,
    company,
    phone,
    custom_fields: metadata,
    mail_stopped: mailAllowed,
  }),
});

export const CONTACT_ROUTES = [
  findContacts,
  upsertContact,
  listContacts,
  createContact,
  getContact,
  updateContact,
] as const;
