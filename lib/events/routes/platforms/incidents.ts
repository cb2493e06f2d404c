// What is wrong with a merchant's connections now, and what was: for a page, a monitor or an agent that asks from time to time.
import * as z from 'zod';
import { READS } from '#lib/core/routes/call-limits.ts';
import { succeeds } from '#lib/core/routes/wire.ts';
import { INCIDENT_LIMITS } from '../../domain/connections/incident.ts';
import { OUTAGES_MAX } from '../../domain/connections/outage.ts';
import { defineRoute } from '../define-route.ts';
import { connectionHealth, trouble } from './platforms.ts';

const incident = z
  .object({
    id: z.string().meta({ description: 'The same as long as the incident lasts, and after it.' }),
    state: z.enum(['open', 'over']),
    kind: z.enum(['refused', 'unavailable', 'failing', 'limited', 'held', 'window', 'limit']).meta({
      description:
        'The first four as `trouble` of a connection says; `failing` also where much more fails than on the days before. `window`: what waits for a connection that takes nothing, whoever paused it, is too late within a day. `limit`: 80 % of a limit are used, or all of it. `held`: those who run the deployment keep the platform back for all. A connection that a person paused is no incident by itself.',
    }),
    platform: z.string().nullable().meta({ description: 'Null of `limit`, as are the next three.' }),
    label: z.string().nullable(),
    connection_id: z.string().nullable(),
    connection_name: z.string().nullable(),
    since: z.iso.datetime(),
    until: z.iso.datetime().nullable().meta({ description: 'Null while it is open.' }),
    waiting: z.int().nonnegative().meta({
      description:
        'Deliveries that are not over, at all connections to the platform; once it is over, those of events received in its days.',
    }),
    oldest_waiting: connectionHealth.shape.oldest_waiting.meta({
      description: 'The event whose delivery has waited longest, and until when it may.',
    }),
    given_up: trouble.shape.given_up.nullable().meta({
      description:
        'Deliveries in ERROR of events received in its days: from the UTC day in which it began to the one in which it ended. Null of `limit`, and where it began more than 99 days ago.',
    }),
    window_closes_at: z.iso.datetime().nullable().meta({
      description: 'Of `window` while it is open: when the first of what waits is given up.',
    }),
    limit: z
      .object({
        name: z.enum(INCIDENT_LIMITS).meta({
          description: 'Those taken in a minute of the merchant’s servers, or of browsers.',
        }),
        used: z.int().nonnegative().nullable().meta({ description: 'The most that was found.' }),
        of: z.int().positive().nullable(),
      })
      .nullable()
      .meta({ description: 'Of `limit`.' }),
    last_error: trouble.shape.last_error,
    what: z.string().meta({ description: 'A sentence about it.' }),
    what_to_do: z.string().nullable().meta({ description: 'Null once it is over.' }),
  })
  .meta({ id: 'Incident' });

export const listIncidents = defineRoute({
  id: 'listIncidents',
  rateLimit: READS,
  part: 'api',
  method: 'GET',
  path: '/v1/incidents',
  summary: 'What is wrong with connections, and what was',
  auth: { key: 'platforms:read', session: 'see:events' },
  cors: 'listed',
  query: z.strictObject({ state: z.enum(['open', 'over']).optional() }),
  replies: succeeds({
    incidents: z.array(incident).meta({
      description: `Open ones first, each kind newest first. Of those that are over the last ${OUTAGES_MAX} of each connection, where it took nothing at all, and of each other kind.`,
    }),
  }),
  errors: [],
});

export const INCIDENT_ROUTES = [listIncidents] as const;
