// What a platform said later of an event that it had accepted, on the wire.
import * as z from 'zod';
import { CONFIRMATION_WORDS } from '../domain/deliveries/confirmation.ts';

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
