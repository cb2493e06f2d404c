// Parts of an event that a merchant's own receivers get alike: a server behind a webhook, and the reader of lines in a bucket.
import * as z from 'zod';
import { all, isCurrency, isDigest } from './reading.ts';

export const words = z.string().min(1);
const amount = z.number().nonnegative();
const digest = z.string().refine(isDigest, 'must be a SHA-256 digest');
const signal = z.enum(['granted', 'denied']).optional();

export const content = {
  event_source_url: words.optional(),
  referrer_url: words.optional(),
  order_id: words.optional(),
  value: amount.optional(),
  currency: z.string().refine(isCurrency, 'must be an ISO 4217 code').optional(),
  items: z
    .array(
      z.strictObject({
        id: words,
        quantity: amount,
        price: amount.optional(),
        ...all(words.optional(), 'name brand category variant'),
      }),
    )
    .optional(),
};

export const consent = z
  .strictObject(all(signal, 'ad_user_data ad_personalization ad_storage analytics'))
  .optional();

export const person = z
  .strictObject({
    ...all(digest.optional(), 'email_sha256 phone_sha256 first_name_sha256 last_name_sha256 gender_sha256'),
    ...all(digest.optional(), 'date_of_birth_sha256 city_sha256 state_sha256 postal_code_sha256'),
    country_sha256: digest.optional(),
    external_ids_sha256: z.array(digest).optional(),
    ...all(words.optional(), 'client_ip user_agent madid'),
    browser_ids: z.record(z.string(), words).optional(),
  })
  .optional();
