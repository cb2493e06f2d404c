// Erasing what is known of one person, with a receipt.
import * as z from 'zod';
import { JOBS, READS, SCANS } from '../../core/routes/call-limits.ts';
import { cursorParam, integer, succeeds } from '../../core/routes/wire.ts';
import { ERASURE_LIMITS } from '../domain/erasure/erasure.ts';
import { SUPPRESSED_COUNT_MAX, SUPPRESSION_IMPORT } from '../domain/people/suppression.ts';
import { suppression } from './account.ts';
import { defineRoute, MANAGES } from './define-route.ts';

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 50;
const word = (description: string) => z.string().min(1).max(512).optional().meta({ description });

const passedOn = z.object({
  connection_id: z.string(),
  platform: z.string(),
  name: z.string().meta({ description: 'Of the connection, when it was asked for.' }),
  state: z
    .enum(['waiting', 'passed_on', 'refused', 'not_offered', 'no_rights', 'not_named', 'removed'])
    .meta({
      description:
        '`waiting`: not asked yet, or no answer · `passed_on`: the platform took the request, and deletes by its own rules · `refused`: in its words · `not_offered`: it documents no way · `no_rights`: it does, but not for what a connection has entered · `not_named`: it finds nobody by what was asked for · `removed`: the connection is gone.',
    }),
  detail: z.string().nullable().meta({ description: 'Why, in a sentence or in the platform’s words.' }),
  docs: z.string().nullable().meta({ description: 'Where the platform documents it.' }),
  answered_at: z.iso.datetime().nullable(),
  retried_until: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Until then it is asked again; null where it is not.' }),
});

const erasure = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'done']),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    done_at: z.iso.datetime().nullable().meta({
      description: 'Since then nothing is left here; platforms may still be asked.',
    }),
    expires_at: z.iso.datetime().meta({ description: 'When the receipt is deleted.' }),
    subject_digest: z.string().meta({
      description:
        'Of the id and of what was asked for: shows whom the receipt is about to somebody who knows both, and to nobody else.',
    }),
    covers: z
      .object({ from: z.iso.datetime(), until: z.iso.datetime().nullable() })
      .meta({ description: 'Events received from `from` on, and before `until`; null while it runs.' }),
    found: z.int().meta({ description: 'Events of the person.' }),
    erased: z.int().meta({ description: 'Events that no longer hold anything personal.' }),
    remaining: z.int().nullable().meta({
      description:
        'Events found by the last pass over all rows that still held what was received before the request: 0 when it is done, null while it runs.',
    }),
    looked_at: z.int().meta({ description: 'Events the pass under way, or the last one, has looked at.' }),
    suppresses: z.boolean().meta({
      description: 'Whether it put the person on the list of suppressed people.',
    }),
    passed_on: z.array(passedOn).meta({
      description:
        'The deletion at the platforms that were connected when it was asked for; they are asked once nothing of the person can be on its way to them.',
    }),
    unreadable: z.int().meta({
      description:
        'Rows that cannot be read or opened; whose they are cannot be said. While there are any the erasure stays `running` and looks again, at least once a day. 0 unless storage was damaged or a release was rolled back.',
    }),
  })
  .meta({ id: 'Erasure' });
const one = z.object({ success: z.literal(true), erasure });

const identifiers = {
  email: word('Address, or its SHA-256 in hex or Base64.'),
  phone: word('Number with + and its country code, or its SHA-256.'),
  external_id: word('customer_id or external id, or its SHA-256.'),
};
const NAMED = 'must have email, phone or external_id';
const isNamed = (words: Readonly<Record<string, unknown>>) =>
  [words.email, words.phone, words.external_id].some((value) => value !== undefined);

export const createErasure = defineRoute({
  ...MANAGES,
  id: 'createErasure',
  method: 'POST',
  path: '/v1/privacy/erasures',
  summary: 'Erase what is known of a person from all events; events stay without it, counters as they are',
  body: z
    .strictObject({
      ...identifiers,
      suppress: z.boolean().optional().meta({
        description:
          'Whether the person is put on the list of suppressed people as well; not given: where the setting `suppression` is on.',
      }),
    })
    .refine(
      isNamed,
      'must have email, phone or external_id; with several, events that hold any of them are erased',
    ),
  replies: { 202: one },
  errors: ['rate_limited', 'suppression_off'],
});

export const listErasures = defineRoute({
  ...MANAGES,
  id: 'listErasures',
  rateLimit: READS,
  method: 'GET',
  path: '/v1/privacy/erasures',
  summary: 'Erasures and their receipts, newest first',
  query: z.strictObject({
    limit: integer(LIMIT_MAX).pipe(z.int().min(1)).default(LIMIT_DEFAULT),
    cursor: cursorParam,
  }),
  replies: succeeds({
    erasures: z.array(erasure),
    limit: z.int(),
    next_cursor: z.string().nullable(),
  }),
});

export const readErasure = defineRoute({
  ...MANAGES,
  id: 'readErasure',
  rateLimit: READS,
  method: 'GET',
  path: '/v1/privacy/erasures/:id',
  summary: `How far an erasure is, or its receipt; kept for ${ERASURE_LIMITS.keptDays} days`,
  params: z.object({ id: z.guid() }),
  replies: { 200: one },
  errors: ['not_found'],
});

const BY = ['email', 'phone', 'external_id'] as const;

export const suppressPerson = defineRoute({
  ...MANAGES,
  id: 'suppressPerson',
  method: 'POST',
  path: '/v1/privacy/suppressions',
  summary: 'Put a person on the list: later events are not to name them',
  body: z.strictObject(identifiers).refine(isNamed, NAMED),
  replies: succeeds({ suppressed: z.array(z.object({ by: z.enum(BY), since: z.iso.datetime() })) }),
  errors: ['suppression_off'],
});

export const importSuppressed = defineRoute({
  ...MANAGES,
  id: 'importSuppressed',
  rateLimit: JOBS,
  method: 'POST',
  path: '/v1/privacy/suppressions/import',
  summary: `Put up to ${SUPPRESSION_IMPORT.peopleMax} people on the list: all of them, or none where one cannot be read`,
  headers: z.object({ 'content-type': z.string().optional() }),
  rawBody: true,
  bodyTypes: ['application/json', 'text/csv'],
  bodySizeMaxBytes: SUPPRESSION_IMPORT.sizeMaxBytes,
  body: z.strictObject({
    people: z
      .array(z.strictObject(identifiers).refine(isNamed, NAMED))
      .min(1)
      .max(SUPPRESSION_IMPORT.peopleMax),
  }),
  replies: succeeds({
    people: z.int().meta({ description: 'Lines, or entries.' }),
    added: z.int().meta({ description: 'Of them that were not on the list by each of their identifiers.' }),
  }),
  errors: ['suppression_off'],
});

export const countSuppressed = defineRoute({
  ...MANAGES,
  id: 'countSuppressed',
  rateLimit: SCANS,
  method: 'GET',
  path: '/v1/privacy/suppressions',
  summary: 'How many identifiers are on the list',
  query: z.strictObject({}),
  replies: succeeds({
    suppression,
    count: z.int().meta({ description: 'Identifiers: two of a person who was named by two.' }),
    is_complete: z
      .boolean()
      .meta({ description: `False where there are more than ${SUPPRESSED_COUNT_MAX}.` }),
  }),
});

export const unsuppressPerson = defineRoute({
  ...MANAGES,
  id: 'unsuppressPerson',
  method: 'DELETE',
  path: '/v1/privacy/suppressions',
  summary: 'Take a person off the list, by the words that put them there',
  query: z.strictObject(identifiers).refine(isNamed, NAMED),
  replies: succeeds({ removed: z.array(z.enum(BY)).meta({ description: 'Those that were on the list.' }) }),
});

export const PRIVACY_ROUTES = [
  ...[createErasure, listErasures, readErasure],
  ...[suppressPerson, importSuppressed, countSuppressed, unsuppressPerson],
] as const;
