// What each network takes, by its own pages; of what Awin and Criteo say there, what connectors of others send.
import * as z from 'zod';
import { isCurrency, isDecimal, isDigest } from '../reading.ts';

const text = z.string().min(1);
const whole = z.int().nonnegative();
const amount = z.number().nonnegative();
const decimal = text.refine(isDecimal, 'must be a decimal');
const currency = z.string().refine(isCurrency, 'must be an ISO 4217 code');
const time = z.iso.datetime({ offset: true });
const needs = (field: string) => ({ message: `${field} is required`, path: [field] });

/** https://developers.taboola.com/pixel/docs/the-postback-url */
export const taboola = z.strictObject({
  'click-id': text.regex(/^[\w-]+$/, 'value is not parsable'),
  name: text,
  revenue: decimal.optional(),
  currency: z
    .enum('AUD BRL CAD CNY EUR GBP HKD ILS INR JPY KRW MXN NZD RUB SGD THB TRY USD ZAR'.split(' '))
    .optional(),
  orderid: text.optional(),
  quantity: text.regex(/^\d+$/).optional(),
});

/** https://www.outbrain.com/help/advertisers/server2server-integrations/ */
export const outbrain = z.strictObject({
  ob_click_id: text,
  name: text,
  orderValue: decimal.optional(),
  orderId: text.optional(),
  currency: currency.optional(),
});

/** https://help.awin.com/apidocs/conversion-api */
export const awin = z.strictObject({
  orderReference: text.max(50, 'is truncated at 50 characters'),
  amount,
  currency,
  channel: text,
  awc: text,
  isTest: z.boolean().optional(),
  commissionGroups: z.array(z.strictObject({ code: text, amount })).min(1),
});

/** https://integrations.impact.com/brand-api-reference (ConversionPayload) */
export const impact = z
  .strictObject({
    CampaignId: z.int(),
    EventDate: time,
    OrderId: text,
    EventTypeId: z.int().optional(),
    EventTypeCode: text.optional(),
    ClickId: text.optional(),
    CustomerId: text.optional(),
    IpAddress: text.optional(),
    UserAgent: text.optional(),
    CustomerEmail: z.string().refine(isDigest, 'must be a SHA-256 digest').optional(),
    Amount: amount.optional(),
    CurrencyCode: currency.optional(),
  })
  .refine(
    ({ EventTypeId, EventTypeCode }) => EventTypeId !== undefined || EventTypeCode !== undefined,
    needs('EventTypeId'),
  )
  .refine(({ ClickId, CustomerId }) => ClickId !== undefined || CustomerId !== undefined, needs('ClickId'))
  .refine(
    ({ Amount, CurrencyCode }) => Amount === undefined || CurrencyCode !== undefined,
    needs('CurrencyCode'),
  );

/** https://guides.criteotilt.com/onetag/s2s/ */
export const criteo = z.strictObject({
  version: text,
  account: text,
  site_type: z.enum(['d', 'm', 't']),
  id: z.strictObject({
    mapping_key: text,
    mapped_user_id: text,
    email: z.strictObject({ sha256: z.string().refine(isDigest) }).optional(),
  }),
  ip: text.optional(),
  full_url: z.url().optional(),
  previous_url: z.url().optional(),
  events: z
    .array(
      z.strictObject({
        event: z.enum(
          'viewPage addToCart viewBasket beginCheckout addPaymentInfo trackTransaction login'.split(' '),
        ),
        timestamp: time,
        id: text.optional(),
        currency: currency.optional(),
        item: z
          .array(z.strictObject({ id: text, price: amount.optional(), quantity: whole.optional() }))
          .optional(),
      }),
    )
    .length(1),
});
