// Connections of a merchant to platforms. A secret goes in and never comes out.
import * as z from 'zod';
import { READS } from '#lib/core/routes/call-limits.ts';
import { line, succeeds } from '#lib/core/routes/wire.ts';
import { OUTAGES_MAX } from '../../domain/connections/outage.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import { defineRoute, MANAGES } from '../define-route.ts';
import { deliveryWindow, later } from '../delivery.ts';
import * as versions from './api-versions.ts';
import { CREDENTIAL_KINDS } from './credential-form.ts';
import { ownRules } from './own-rules.ts';

export const CONNECTION_NAME_MAX_CHARS = 100;
const CONNECTION_ID_MAX_CHARS = 100;

const name = line(CONNECTION_NAME_MAX_CHARS);

const connection = z
  .object({
    id: z.string(),
    platform: z.string(),
    label: z.string(),
    name: z.string(),
    status: z.enum(['active', 'paused']),
    paused_reason: z.enum(['auth', 'manual']).optional().meta({
      description: '`auth`: the platform refused the credentials. `manual`: somebody asked for it.',
    }),
    paused_at: z.iso.datetime().optional(),
    next_probe_at: z.iso.datetime().optional().meta({
      description: 'Of a pause for `auth`: when one event finds out whether the credentials are taken again.',
    }),
    version: z.int().positive().meta({ description: 'What If-Match takes, in quotes.' }),
    ...versions.versionFields,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    settings: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'What was entered, without secrets; null when it cannot be opened.',
    }),
    secrets: z.array(z.string()).meta({ description: 'Names of the secrets that are stored.' }),
    ...ownRules,
  })
  .meta({ id: 'Connection' });

export const trouble = z.object({
  kind: z.enum(['refused', 'unavailable', 'failing', 'limited', 'paused']).meta({
    description:
      '`refused`: paused, for the platform refused the credentials. `unavailable`: calls kept failing, and deliveries wait. `failing`: at least half of the newest calls failed, of 3 or more. `limited`: more waits than the platform takes in ten minutes. `paused`: somebody asked for it.',
  }),
  since: z.iso.datetime().meta({
    description: 'Of `failing`: the first failed call among the newest 20 of the last 24 hours.',
  }),
  cleared_by: z.iso.datetime().optional().meta({
    description: 'Of `limited`: when all that waits has gone out at the latest, at the rate of the platform.',
  }),
  given_up: z.int().nonnegative().meta({
    description: 'Deliveries in ERROR, of events received since `given_up_from`.',
  }),
  given_up_from: z.iso.datetime().meta({
    description: 'The start of the UTC day in which it began, at most 99 days back.',
  }),
  last_error: z
    .object({
      at: z.iso.datetime(),
      http_status: z.int().optional(),
      code: z.string().optional(),
      message: z.string().optional().meta({ description: 'The words of the platform, redacted.' }),
    })
    .nullable()
    .meta({
      description:
        'The latest failed call of the newest 100 events, or the one that began it; null where none of them says why.',
    }),
});

export const connectionHealth = z
  .object({
    last_delivered_at: z.iso.datetime().nullable().meta({
      description:
        'The platform took an event then, or later. Null: none of the last 8 days, or of the newest 100 events where it has several connections.',
    }),
    delivered_24h: z.int().nonnegative().meta({ description: 'Of events received in the last 24 hours.' }),
    undelivered_24h: z.int().nonnegative().meta({ description: 'FAILED or ERROR, of the same events.' }),
    retrying_24h: z.int().nonnegative().meta({
      description: 'RETRY, of the same events: due, not taken, and to be sent again.',
    }),
    error_rate_24h: z.number().min(0).max(1).nullable().meta({
      description:
        'Of what was due, how much the platform has not taken: (undelivered + retrying) / (delivered + undelivered + retrying); null where all are 0.',
    }),
    later: z.array(later).meta({
      description:
        'What the platform said later of events of the last 8 days that it had accepted, but for those it confirmed or is still to be asked about.',
    }),
    backlog: z.int().nonnegative().meta({ description: 'Deliveries that are not over.' }),
    oldest_waiting: z
      .object({
        received_at: z.iso.datetime().meta({
          description: 'Start of the minute, without the other two, where many wait.',
        }),
        next_attempt_at: z.iso.datetime().optional().meta({
          description: 'Absent while it waits for its first attempt, or for the connection.',
        }),
        ...deliveryWindow.shape,
      })
      .nullable()
      .meta({ description: 'The event whose delivery has waited longest.' }),
    circuit: z
      .object({
        state: z.enum(['closed', 'open']),
        opened_at: z.iso.datetime().optional(),
        next_probe_at: z.iso.datetime().optional().meta({
          description: 'When a few events find out whether the platform is back.',
        }),
      })
      .meta({ description: 'Open: calls kept failing, and deliveries wait.' }),
    trouble: trouble
      .nullable()
      .meta({ description: 'What is wrong with it now; how much waits is `backlog`. Null: nothing.' }),
    outages: z
      .array(
        z.object({
          cause: z.enum(['auth', 'circuit']).meta({
            description: '`auth`: the platform refused the credentials. `circuit`: calls kept failing.',
          }),
          started_at: z.iso.datetime(),
          ended_at: z.iso.datetime(),
        }),
      )
      .meta({
        description: `The last ${OUTAGES_MAX} that are over, newest last. Less than five minutes apart they are one.`,
      }),
    call_latency_p95_ms: z.number().nullable().meta({
      description: 'Of the calls that the newest 100 events of the last 24 hours took part in.',
    }),
    calls_seen: z.int().nonnegative().meta({ description: 'How many calls that is.' }),
    calls_failed: z.int().nonnegative().meta({ description: 'Of those: took no event of theirs.' }),
  })
  .meta({
    id: 'ConnectionHealth',
    description: 'Where a platform has several connections, counts and what waits are those of all of them.',
  });

const listed = connection.extend({ health: connectionHealth }).meta({ id: 'ListedConnection' });

const available = z
  .object({
    platform: z.string(),
    label: z.string(),
    ...versions.offeredVersions,
    docs: z.string(),
    experimental: z.boolean().meta({
      description: 'Never tried with a real account: connecting it takes `confirm_experimental: true`.',
    }),
    unhashed_fields: z.array(z.string()).meta({
      description:
        'Fields of `user_data` it takes as they are. They are kept, encrypted, while it is connected; every other one leaves hashed or not at all.',
    }),
    acceptance_window_sec: z.int().positive().meta({
      description:
        'How long after it happened the platform takes an event, where it names no limit how long it waits here at most. Attempts end 7 days after receipt; what waits for a paused connection has all of it. Where it depends on the event: of most.',
    }),
    fields: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        help: z.string(),
        required: z.boolean(),
        secret: z.boolean(),
        destination: z.boolean().meta({
          description: 'It names where events go: with another value it is another destination.',
        }),
        kind: z.enum(CREDENTIAL_KINDS).meta({
          description:
            '`text`: a line. `flag`: true or false. `choice`: one of `options`. `map`: an object with a value for some of `names`, each of `options` where there are any.',
        }),
        options: z.array(z.string()).optional(),
        names: z.array(z.string()).optional(),
      }),
    ),
  })
  .meta({ id: 'AvailablePlatform', description: 'A platform that can be connected, and what it asks for.' });

const bodies = PLATFORMS.map(({ slug, label, credentials }) =>
  z
    .strictObject({
      platform: z.literal<string>(slug),
      name: name.optional(),
      events: ownRules.events.optional(),
      consent: ownRules.consent.optional(),
      credentials: credentials as z.ZodType<Readonly<Record<string, unknown>>>,
      another: z.boolean().optional().meta({
        description:
          'True: one more connection to a platform that is connected, such as a second pixel; every event goes to each.',
      }),
      replace: z.boolean().optional().meta({
        description:
          'True: take the place of the connection that is there, the first of several, though it is to another destination. Without it credentials replace only those for the same destination, such as the same pixel.',
      }),
      // Taken for every platform: who confirms need not know which ones still ask for it.
      confirm_experimental: z.boolean().optional().meta({
        description:
          'True: known and wanted that an `experimental` platform was never tried with a real account.',
      }),
    })
    .meta({ title: label }),
);
const [first, ...others] = bodies;
if (first === undefined) throw new Error('the registry has no platform');

export const listPlatforms = defineRoute({
  id: 'listPlatforms',
  rateLimit: READS,
  part: 'api',
  method: 'GET',
  path: '/v1/platforms',
  summary: 'Configured connections, and what can be connected',
  auth: { key: 'platforms:read', session: 'see:events' },
  cors: 'listed',
  query: z.strictObject({}),
  replies: succeeds({ platforms: z.array(listed), available: z.array(available) }),
  errors: [],
});

const connected = z.object({ success: z.literal(true), platform: connection });

export const connectPlatform = defineRoute({
  ...MANAGES,
  id: 'connectPlatform',
  method: 'POST',
  path: '/v1/platforms',
  summary:
    'Connect a platform, or another of it, or renew the credentials of a connection and take it off pause',
  idempotent: true,
  body: z.discriminatedUnion('platform', [first, ...others]),
  replies: { 200: connected, 201: connected },
  errors: ['experimental_unconfirmed', 'platform_not_deployed', 'connection_limit', 'already_connected'],
});

/** More than any platform asks for. */
const VALUES_MAX = 50;
const values = z
  .record(z.string().max(100), z.unknown())
  .refine((given) => Object.keys(given).length <= VALUES_MAX, `must name at most ${VALUES_MAX} fields`);

export const updatePlatform = defineRoute({
  ...MANAGES,
  id: 'updatePlatform',
  method: 'PATCH',
  path: '/v1/platforms/:id',
  summary: 'Rename, pause or resume a connection, or change what is named of its settings and credentials',
  params: z.object({ id: z.string().min(1).max(CONNECTION_ID_MAX_CHARS) }),
  headers: z.object({
    'if-match': z.string().max(1_000).optional().meta({
      description: 'The version that is to be changed, in quotes; any where absent.',
    }),
  }),
  body: z
    .strictObject({
      name,
      settings: values.meta({
        description: 'Fields that are no secrets, each as a whole; null takes one away.',
      }),
      credentials: values.meta({
        description:
          'Fields as POST /v1/platforms takes them, those that are to be others; null takes one away. They end a pause with reason `auth`.',
      }),
      ...versions.versionChange,
      status: z.enum(['active', 'paused']).meta({
        description: 'While paused, deliveries wait: until it is active again, or their window closes.',
      }),
      ...ownRules,
    })
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'must name at least one field')
    .refine(versions.changesVersionAlone, versions.NOT_ALONE),
  idempotent: true,
  replies: { 200: connected.extend(versions.versionTest) },
  replyHeaders: { etag: 'The version that was made.' },
  errors: ['not_found', 'precondition_failed', 'version_refused'],
});

export const disconnectPlatform = defineRoute({
  ...MANAGES,
  id: 'disconnectPlatform',
  method: 'DELETE',
  path: '/v1/platforms/:id',
  summary: 'Disconnect a platform; its pending deliveries stop',
  params: z.object({ id: z.string().min(1).max(CONNECTION_ID_MAX_CHARS) }),
  replies: succeeds({ id: z.string() }),
  errors: ['not_found'],
});

export const PLATFORM_ROUTES = [listPlatforms, connectPlatform, updatePlatform, disconnectPlatform] as const;
