// What became of an event at a platform, on the wire: its attempts, how long it is pursued, and what the platform said later of what it
// had accepted.
import * as z from 'zod';
import { CONFIRMATION_WORDS } from '../domain/deliveries/confirmation.ts';
import { holder } from './platforms/connection-names.ts';

export const confirmation = z
  .object({
    word: z.enum([...CONFIRMATION_WORDS, 'none', 'unknown']).meta({
      description:
        '`waiting`: accepted, and to be asked about. `confirmed`. `partly`: some events of its request were rejected later, and the platform does not say which. `rejected`: this one was. `never`: no answer was to be had. `none`: the platform confirms nothing. `unknown`: it was not asked.',
    }),
    request_id: z.string().optional().meta({ description: 'Of the platform, for questions to it.' }),
    asked_at: z.iso.datetime().optional().meta({ description: 'When it is asked next.' }),
    rejected: z.int().optional(),
    of: z.int().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'Confirmation' });

/** Counted over events. */
export const later = z.object({
  word: z.enum(['rejected', 'partly', 'never']).meta({
    description: 'As of a delivery. `partly`: `rejected` of the `events`, and it is not known which.',
  }),
  reason: z.string(),
  events: z.int(),
  rejected: z.int().optional(),
  since: z.iso.datetime().meta({ description: 'Of events received from then on.' }),
});

export type ConfirmationView = z.output<typeof confirmation>;

export const status = z
  .string()
  .meta({ description: 'Delivery state, or the verdict where nothing is to be delivered.' });

const attempt = z.object({
  at: z.iso.datetime(),
  latency_ms: z.number(),
  http_status: z.int().optional(),
  outcome: z.string(),
  code: z.string().optional(),
  message: z.string().optional(),
  batch_size: z.int(),
  api_version: z.string().optional().meta({
    description: "Of the platform, where the connection had another than the platform's own.",
  }),
});

const fate = z.object({
  status,
  attempts: z.int(),
  maybe_delivered: z
    .boolean()
    .meta({ description: 'An attempt whose answer was lost may have reached the platform.' }),
  delivered_at: z.iso.datetime().optional(),
  next_attempt_at: z.iso.datetime().optional(),
  reason: z.string().optional(),
  confirmation: confirmation.optional().meta({ description: 'Of what the platform has accepted.' }),
  history: z.array(attempt).meta({ description: 'The latest attempts, oldest first.' }),
});

/** Until when a delivery is pursued, while it is not over. */
export const deliveryWindow = z.object({
  window_closes_at: z.iso.datetime().optional().meta({
    description: 'When the delivery ends by itself: the earlier of the next two. Absent once it is over.',
  }),
  platform_takes_until: z.iso.datetime().optional().meta({
    description:
      'Until when the platform takes the event. Absent where it names no limit, and once the delivery is over.',
  }),
  we_try_until: z.iso.datetime().optional().meta({
    description:
      'Our own limit, where it comes first: a week of attempts after receipt or the last change of the connection, or, for what waits for a connection that is paused, as long as the event is kept.',
  }),
});

export const delivery = z
  .object({
    platform: z.string(),
    label: z.string(),
    ...holder.shape,
    ...fate.shape,
    ...deliveryWindow.shape,
    replay_until: z.iso.datetime().optional().meta({
      description:
        'Of a delivery that ended by a limit of ours (`gave_up`): until when the platform takes the event and it is kept, so that it can be sent again.',
    }),
    connections: z.array(holder.extend(fate.shape)).optional().meta({
      description:
        'What became of it at each, where several connections to the platform were to have the event. The rest of the row is that of the one that is not over, or ended worst.',
    }),
  })
  .meta({ id: 'Delivery' });
