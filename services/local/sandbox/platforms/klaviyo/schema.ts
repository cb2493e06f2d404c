// What Klaviyo's own OpenAPI document says of a request (https://github.com/klaviyo/openapi at f0a30ba, MIT, revision 2026-07-15:
// EventCreateQueryV2, EventsBulkCreateJob, DataPrivacyCreateDeletionJobQuery and what they refer to), transcribed field by field. Used by the
// stand-in, not in production.
import * as z from 'zod';
import { all } from '../reading.ts';

const text = z.string().optional();
const location = z.strictObject({
  ...all(text, 'address1 address2 city country'),
  ...all(z.union([z.string(), z.number()]).optional(), 'latitude longitude'),
  ...all(text, 'region zip timezone ip'),
});
const profile = z.strictObject({
  data: z.strictObject({
    type: z.literal('profile'),
    id: text,
    attributes: z.strictObject({
      email: z.email().optional(),
      phone_number: z.e164().optional(),
      ...all(text, 'external_id anonymous_id _kx first_name last_name organization locale title image'),
      location: location.optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
});
const eventFields = {
  properties: z
    .record(z.string(), z.unknown())
    .refine((fields) => Object.keys(fields).length <= 400, 'at most 400 properties'),
  time: z.iso.datetime({ offset: true }).optional(),
  value: z.number().optional(),
  value_currency: z.string().length(3).optional(),
  unique_id: text,
  backfill: z.boolean().optional(),
  metric: z.strictObject({
    data: z.strictObject({
      type: z.literal('metric'),
      attributes: z.strictObject({ name: z.string().min(1).max(127), service: text }),
    }),
  }),
};
const createEvent = z.strictObject({
  data: z.strictObject({
    type: z.literal('event'),
    attributes: z.strictObject({ ...eventFields, profile }),
  }),
});
const bulkCreateEvents = z.strictObject({
  data: z.strictObject({
    type: z.literal('event-bulk-create-job'),
    attributes: z.strictObject({
      'events-bulk-create': z.strictObject({
        data: z
          .array(
            z.strictObject({
              type: z.literal('event-bulk-create'),
              attributes: z.strictObject({
                backfill: z.boolean().optional(),
                profile,
                events: z.strictObject({
                  data: z
                    .array(
                      z.strictObject({ type: z.literal('event'), attributes: z.strictObject(eventFields) }),
                    )
                    .min(1)
                    .max(1_000),
                }),
              }),
            }),
          )
          .min(1),
      }),
    }),
  }),
});

const given = z.string().nullish();
/** DataPrivacyCreateDeletionJobQuery; exactly one identifier, by the description of the operation. */
const deletionJob = z.strictObject({
  data: z.strictObject({
    type: z.literal('data-privacy-deletion-job'),
    attributes: z.strictObject({
      profile: z.strictObject({
        data: z
          .strictObject({
            type: z.literal('profile'),
            id: given,
            attributes: z.strictObject({ email: z.email().nullish(), phone_number: z.e164().nullish() }),
          })
          .refine(
            ({ id, attributes: { email, phone_number: phone } }) =>
              [id, email, phone].filter((value) => value != null).length === 1,
            'Exactly one of email, phone_number or id is required.',
          ),
      }),
    }),
  }),
});

/** Path → the body it takes. Fields the document does not have are refused. */
export const KLAVIYO_BODIES: Readonly<Record<string, z.ZodType>> = {
  '/api/events': createEvent,
  '/api/event-bulk-create-jobs': bulkCreateEvents,
  '/api/data-privacy-deletion-jobs': deletionJob,
};
