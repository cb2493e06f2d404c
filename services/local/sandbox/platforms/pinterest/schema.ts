// What Pinterest's OpenAPI description says of a request (v5.23.0, components ConversionEvents and ConversionEventsUserData),
// transcribed: which properties exist, which are required, of which type. Used by the stand-in, not in production.
// https://github.com/pinterest/api-description at c05b189 (MIT)
import * as z from 'zod';
import { all } from '../reading.ts';

const text = z.string().optional();
const texts = z.array(z.string()).optional();
const integer = z.int().optional();
const anything = z.looseObject({}).optional();

const content = z.strictObject({
  ...all(text, 'id item_brand item_category item_name item_price'),
  quantity: integer,
});

const customData = z.strictObject({
  ...all(
    text,
    'content_brand content_category content_name currency external_measurement_id np opt_out_type',
  ),
  ...all(text, 'order_id predicted_ltv search_string value'),
  content_ids: texts,
  contents: z.array(content).optional(),
  external_measurement_vendor_id: integer,
  num_items: integer,
});

const userData = z.looseObject({
  ...all(text, 'click_id client_ip_address client_user_agent partner_id'),
  ...all(texts, 'em ph ge db fn ln ct st zp country external_id hashed_maids'),
});

const event = z.strictObject({
  ...all(z.string(), 'action_source event_id event_name'),
  ...all(text, 'app_id app_name app_version device_brand device_carrier device_model device_type'),
  ...all(text, 'event_source_url language os_version partner_name'),
  app_info: anything,
  custom_data: customData.optional(),
  device_info: anything,
  event_time: z.int(),
  opt_out: z.boolean().optional(),
  user_data: userData,
  wifi: z.boolean().optional(),
});

/** The body of a request. Fields the description does not have are refused, but for those of `user_data` and of the body. */
export const conversionEvents = z.looseObject({ data: z.array(event).min(1).max(1_000) });
