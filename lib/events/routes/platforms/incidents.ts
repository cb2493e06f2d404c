// What is wrong with a merchant's connections now, and what was: for a page, a monitor or an agent that asks from time to time.
import * as z from 'zod';
import { READS } from '#lib/core/routes/call-limits.ts';
import { OUTAGES_MAX } from '../../domain/connections/outage.ts';
import { defineRoute } from '../define-route.ts';
import { connectionHealth, trouble } from './platforms.ts';

const incident = z
  .object({
    id: z.string().meta({ description: 'The same as long as the incident lasts, and after it.' }),
    state: z.enum(['open', 'over']),
    kind: z.enum(['refused', 'unavailable', 'failing', 'limited']).meta({
      description: 'As `trouble` of a connection says. A connection that a person paused is no incident.',
    }),
    platform: z.string(),
    label: z.string(),
    connection_id: z.string(),
    connection_name: z.string(),
    since: z.iso.datetime(),
    until: z.iso.datetime().nullable().meta({ description: 'Null while it is open.' }),
    waiting: z.int().nonnegative().meta({
      description: 'Deliveries that are not over, at all connections to the platform; 0 once it is over.',
    }),
    oldest_waiting: connectionHealth.shape.oldest_waiting.meta({
      description: 'The event whose delivery has waited longest, and until when it may.',
    }),
    given_up: trouble.shape.given_up.nullable().meta({
      description: 'Deliveries in ERROR since the day in which it began; null once it is over.',
    }),
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
  replies: {
    200: z.object({
      success: z.literal(true),
      incidents: z.array(incident).meta({
        description: `Open ones first, each kind newest first. Of those that are over the last ${OUTAGES_MAX} of each connection, where it took nothing at all.`,
      }),
    }),
  },
  errors: [],
});

export const INCIDENT_ROUTES = [listIncidents] as const;
