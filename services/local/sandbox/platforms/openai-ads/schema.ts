// A request as https://developers.openai.com/ads/conversions-api and /ads/supported-events describe it: "use only these fields".
import * as z from 'zod';
import { all, isCurrency, isDigest } from '../reading.ts';

const text = z.string().min(1);
const whole = z.int().nonnegative();
const currency = z.string().refine(isCurrency, 'must be an ISO 4217 code');
const digest = z.string().refine(isDigest, 'must be a lowercase SHA-256 digest').optional();
const contents = z
  .array(
    z.strictObject({
      ...all(text.optional(), 'id name content_type'),
      ...all(whole.optional(), 'quantity amount'),
      currency: currency.optional(),
    }),
  )
  .optional();
const money = { amount: whole.optional(), currency: currency.optional() };
const data = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('contents'), ...money, contents }),
    z.strictObject({ type: z.literal('customer_action'), ...money }),
    z.strictObject({ type: z.literal('plan_enrollment'), plan_id: text.optional(), ...money, contents }),
    z.strictObject({ type: z.literal('custom'), plan_id: text.optional(), ...money, contents }),
  ])
  .refine(
    ({ amount, currency }) => amount === undefined || currency !== undefined,
    'currency is required with amount',
  );

const DATA_TYPES: Readonly<Record<string, string>> = {
  ...all(
    'customer_action',
    'app_installed app_opened appointment_scheduled lead_created registration_completed',
  ),
  ...all('contents', 'checkout_started contents_viewed items_added order_created page_viewed'),
  ...all('plan_enrollment', 'subscription_created trial_started'),
  custom: 'custom',
};
const OF_APPS: readonly string[] = ['app_installed', 'app_opened'];

export const eventSchema = z
  .strictObject({
    id: text,
    type: z.enum(Object.keys(DATA_TYPES)),
    custom_event_name: z
      .string()
      .regex(/^[a-z0-9_-]{1,64}$/)
      .refine((name) => !Object.hasOwn(DATA_TYPES, name), 'is a built-in name')
      .optional(),
    timestamp_ms: z.int(),
    oppref: text.optional(),
    source_url: z.url({ protocol: /^https?$/ }).optional(),
    action_source: z
      .enum(['web', 'mobile_app', 'offline', 'physical_store', 'phone_call', 'email', 'other'])
      .optional(),
    user: z
      .strictObject({
        email_sha256: digest,
        external_id_sha256: digest,
        country: z
          .string()
          .regex(/^[A-Z]{2}$/)
          .optional(),
        city: text.max(128).optional(),
        zip_code: z
          .string()
          .regex(/^[A-Za-z0-9 -]{1,32}$/)
          .optional(),
        ip_address: z.union([z.ipv4(), z.ipv6()]).optional(),
        user_agent: text.optional(),
      })
      .optional(),
    opt_out: z.boolean().optional(),
    data,
  })
  .refine(({ type, data }) => DATA_TYPES[type] === data.type, 'data.type does not match type')
  .refine(({ type, custom_event_name: name }) => (type === 'custom') === (name !== undefined), {
    message: 'custom_event_name is required for custom, and for it alone',
  })
  .refine(({ type, action_source: source }) => !OF_APPS.includes(type) || source === 'mobile_app', {
    message: 'action_source must be mobile_app',
  })
  .refine(({ action_source: source, source_url: url }) => source !== 'web' || url !== undefined, {
    message: 'source_url is required',
  });

export const requestSchema = z.strictObject({
  validate_only: z.boolean().optional(),
  events: z.array(z.unknown()),
});
