// What Amazon's own OpenAPI document says of a request (Ads API v1 as of 2026-07-21: CreateEventRequest, EventCreate and
// what they refer to), transcribed field by field. Used by the stand-in, not in production.
import * as z from 'zod';

const oneOf = (...words: readonly string[]) => z.enum(words.join(' ').split(' '));

const matchKeyType = oneOf(
  'ADDRESS CITY EMAIL FIP FIRST_NAME KANTAR_ID LAST_NAME MAID MATCH_ID MERKLE_ID PHONE POSTAL RAMP_ID REAL_ID STATE',
);
const conversionType = oneOf(
  'ADD_TO_SHOPPING_CART APPLICATION CHECKOUT CONTACT LEAD MOBILE_APP_FIRST_START OFF_AMAZON_PURCHASES OTHER',
  'PAGE_VIEW SEARCH SIGN_UP SUBSCRIBE',
);
const currencyCode = oneOf(
  'AED ARS AUD AZN BBD BGN BHD BMD BND BOB BRL BSD CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP EUR GBP GHS GTQ',
  'HKD HNL HRK HUF IDR ILS INR JMD JOD JPY KES KRW KWD KYD KZT LBP LKR MAD MUR MXN MXP MYR NAD NGN NOK NZD PAB',
  'PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TND TRY TTD TWD TZS UAH USD UYU VND XAF XCD XOF XPF ZAR',
);
const consentStatus = oneOf('DENIED GRANTED');
const attribute = z.string().regex(/^[A-Za-z0-9_]+$/);

/** One event. Fields the document does not have are refused. */
export const eventCreate = z.strictObject({
  amazonAdEventKey: z.string().optional(),
  arefMeasurementTokens: z.string().optional(),
  consent: z
    .strictObject({
      amazonConsent: z
        .strictObject({ amznAdStorage: consentStatus.optional(), amznUserData: consentStatus })
        .optional(),
      geo: z.strictObject({ ipAddress: z.string() }).optional(),
      gpp: z.string().optional(),
      tcf: z.string().optional(),
    })
    .optional(),
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  currencyCode: currencyCode.optional(),
  customData: z
    .array(
      z.strictObject({
        dataType: oneOf('INTEGER STRING TIMESTAMP').optional(),
        name: attribute,
        value: attribute,
      }),
    )
    .max(13)
    .optional(),
  dataProcessingOptions: z.strictObject({ options: z.literal('LIMITED_DATA_USE').optional() }).optional(),
  deviceInfo: z.strictObject({ userAgent: z.string().max(512).optional() }).optional(),
  eventDescription: z.strictObject({
    conversionType,
    dataSetName: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]*$/)
      .optional(),
    eventIngestionMethod: z.literal('SERVER_TO_SERVER'),
    eventSource: oneOf('ANDROID FIRE_TV IOS MEASUREMENT_ATTRIBUTION_PARTNER OFFLINE WEBSITE'),
    name: z.string().min(1),
  }),
  eventId: z.string().optional(),
  eventTime: z.iso.datetime(),
  matchKeys: z
    .array(z.strictObject({ type: matchKeyType, values: z.array(z.string().min(1)).length(1) }))
    .min(1)
    .max(15),
  partner: z.string().optional(),
  unitsSold: z.int32().optional(),
  value: z.number().optional(),
});

/** BatchDeleteUserEventsRequestV1 of the DSP's Conversions API; which keys it takes is fewer than the Events API's. */
export const deletionRequest = z.strictObject({
  deletionRequests: z
    .array(
      z.strictObject({
        matchKeys: z
          .array(
            z.strictObject({
              type: oneOf('ADDRESS CITY EMAIL FIRST_NAME LAST_NAME MAID PHONE POSTAL RAMP_ID STATE'),
              values: z.array(z.string()).min(1),
            }),
          )
          .min(1),
      }),
    )
    .min(1)
    .max(500),
});
