// A person by what identifies them: when they were seen, and what they ordered and did.
import * as z from 'zod';
import { SCANS } from '#lib/core/routes/call-limits.ts';
import { cursorParam, integer, nextCursor, succeeds } from '#lib/core/routes/wire.ts';
import { CONVERSIONS_MAX, PERSON_ORDERS_MAX } from '../../domain/people/person.ts';
import { defineRoute, MANAGES, READS_EVENTS } from '../define-route.ts';
import { LIST_LIMITS, listedEvent, trust } from '../events.ts';
import { worth } from './orders.ts';

/** Each needs a read of its own, and a page no more than four read units. */
const LIMIT_MAX = 5;

const word = (description: string) => z.string().min(1).max(512).optional().meta({ description });

const order = z
  .object({
    order_id: z.string(),
    event_id: z.string().meta({ description: 'Of the event that is counted.' }),
    trust,
    received_at: z.iso.datetime(),
    ...worth,
    reports: z.int().meta({ description: 'Events that reported the order, the counted one among them.' }),
  })
  .meta({ id: 'PersonOrder' });

const conversion = z
  .object({ event_id: z.string(), event_name: z.string(), trust, received_at: z.iso.datetime() })
  .meta({ id: 'PersonConversion' });

const amounts = z.array(
  z.object({
    currency: z.string(),
    orders: z.int(),
    value: z.number(),
    refunded: z.number(),
    net: z.number(),
  }),
);

const firstClick = z.object({ platform: z.string(), at: z.iso.datetime() }).nullable();

const identifiers = {
  email: word('Address, or its SHA-256 in hex or Base64.'),
  phone: word('Number with + and its country code, or its SHA-256.'),
  external_id: word('customer_id, or the first external id, in any case; or its SHA-256.'),
};

export const readPerson = defineRoute({
  ...READS_EVENTS,
  id: 'readPerson',
  method: 'GET',
  path: '/v1/people',
  summary: 'When a person was seen, and their orders and other conversions, the newest first',
  query: z.strictObject({
    ...identifiers,
    limit: integer(LIMIT_MAX, 1).default(LIMIT_MAX),
    cursor: cursorParam,
  }),
  replies: succeeds({
    first_seen: z.iso.datetime().nullable().meta({
      description: 'The first click or conversion that is still kept; null where none is.',
    }),
    last_seen: z.iso.datetime().nullable().meta({ description: 'When the newest conversion was received.' }),
    first_click: firstClick,
    orders: z.array(order),
    conversions: z.array(conversion).meta({
      description: `The newest ${CONVERSIONS_MAX} that are no orders: leads, registrations, subscriptions, trials, donations, applications, contacts, appointments, and purchases without order id.`,
    }),
    amounts: amounts.meta({ description: 'Of the orders shown, by currency.' }),
    is_complete: z.boolean().meta({
      description: `False where the person has more than the newest ${PERSON_ORDERS_MAX} orders, which are all that are kept.`,
    }),
    limit: z.int(),
    next_cursor: nextCursor,
  }),
});

export const reportPerson = defineRoute({
  ...MANAGES,
  id: 'reportPerson',
  rateLimit: SCANS,
  method: 'GET',
  path: '/v1/people/report',
  summary: 'What is stored of a person, and to whom it went, the newest first',
  query: z.strictObject({
    ...identifiers,
    limit: integer(LIST_LIMITS.limitMax, 1).default(LIST_LIMITS.limitDefault),
    cursor: cursorParam,
  }),
  replies: succeeds({
    index: z
      .array(
        z.object({
          by: z.enum(['email', 'phone', 'external_id']),
          suppressed_since: z.iso.datetime().nullable().meta({
            description: 'When the person was put on the list of suppressed people; null: is not on it.',
          }),
          first_click: firstClick,
          click_ids: z.array(z.object({ name: z.string(), clicked_at: z.iso.datetime() })).meta({
            description: 'Those that complete later orders, the newest first.',
          }),
          orders: z.array(z.object({ order_id: z.string(), received_at: z.iso.datetime() })),
          conversions: z.array(conversion),
        }),
      )
      .meta({ description: 'What is kept beside events, by identifier; on the first page alone.' }),
    events: z.array(
      listedEvent
        .extend({
          stored: z.array(z.string()).meta({ description: 'What of the person it holds, by name.' }),
          sent_to: z.array(z.string()).meta({
            description: 'Platforms that took it, or may have: also where the answer was lost.',
          }),
        })
        .meta({ id: 'PersonEvent' }),
    ),
    covers: z.object({ from: z.iso.datetime(), until: z.iso.datetime() }).meta({
      description: 'Events received in it were looked through on this page.',
    }),
    unreadable: z.int().meta({
      description: 'Rows of this page that cannot be read or opened; whose they are cannot be said.',
    }),
    limit: z.int(),
    next_cursor: nextCursor,
  }),
});

export const PEOPLE_ROUTES = [readPerson, reportPerson] as const;
