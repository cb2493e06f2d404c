// Rates at which sums of money are shown in the merchant's own currency.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { isCurrency } from '../../domain/event/decimal.ts';
import { RATE_CURRENCIES_MAX, RATE_DAYS_MAX } from '../../domain/orders/exchange.ts';
import { defineRoute, MANAGES, SEES } from '../define-route.ts';

/** Of one request. */
export const RATES_PUT_MAX = 500;

export const currencyCode = z
  .string()
  .max(3)
  .transform((code) => code.toUpperCase())
  .refine(isCurrency, 'must be the code of a currency, such as EUR (ISO 4217)');

const day = z.iso.date().refine((text) => text >= '1970-01-01', 'must be 1970-01-01 or later');

const rate = z
  .string()
  .max(24)
  .regex(
    /^(?:0|[1-9]\d{0,8})(?:\.\d{1,12})?$/,
    'must be digits with at most 12 behind a point, such as 0.9213',
  )
  .refine((text) => /[1-9]/.test(text), 'must be more than 0');

const kept = z.object({
  currency: z.string(),
  days: z
    .array(z.object({ day: z.iso.date(), rate: z.string() }))
    .meta({ description: `The newest first, at most ${RATE_DAYS_MAX}.` }),
});

export const listExchangeRates = defineRoute({
  ...SEES,
  id: 'listExchangeRates',
  method: 'GET',
  path: '/v1/account/rates',
  summary: 'Exchange rates into the reporting currency',
  query: z.strictObject({ currency: currencyCode.optional() }),
  replies: succeeds({
    reporting_currency: z.string().nullable(),
    rates: z.array(kept).max(RATE_CURRENCIES_MAX).meta({ description: 'None without a reporting currency.' }),
  }),
});

export const putExchangeRates = defineRoute({
  ...MANAGES,
  id: 'putExchangeRates',
  method: 'PUT',
  path: '/v1/account/rates',
  summary: 'Set exchange rates of days',
  body: z.strictObject({
    rates: z
      .array(z.strictObject({ currency: currencyCode, day, rate: rate.nullable() }))
      .min(1)
      .max(RATES_PUT_MAX),
  }),
  replies: succeeds({ reporting_currency: z.string(), changed: z.int() }),
});

export const EXCHANGE_RATE_ROUTES = [listExchangeRates, putExchangeRates] as const;
