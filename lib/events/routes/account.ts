// The merchant's profile and settings, and what the caller may do.
import * as z from 'zod';
import { emailAddress, line, succeeds } from '../../core/routes/wire.ts';
import { isOrigin } from '../../core/tenancy/origins.ts';
import { MEMBER_ROLES } from '../../core/tenancy/role.ts';
import {
  BROWSER_EVENTS_PER_MINUTE_MAX,
  PAGE_COPY_WAIT_MAX_SEC,
  RETENTION_DAYS_MAX,
} from '../domain/merchant.ts';
import { SUPPRESSIONS } from '../domain/people/suppression.ts';
import { platformBySlug } from '../platforms/registry.ts';
import { timeZone } from './analytics/range.ts';
import { defineRoute, MANAGES, SEES } from './define-route.ts';
import { currencyCode } from './orders/exchange-rates.ts';

const ORIGINS_MAX = 50;
/** Longer, and a platform would hear of a purchase when its page is long closed. */
const SERVER_COPY_WAIT_MAX_SEC = 900;

const ALLOWED_PARAMETERS_MAX = 50;
/** As a name is decoded: without what ends it in an address. */
const PARAMETER = /^[^\s=&?#]+$/;

const etag = { etag: 'The version, as If-Match takes it.' };

export const suppression = z.enum(['off', ...SUPPRESSIONS]).meta({
  description:
    'What becomes of later events of people on the list of `POST /v1/privacy/suppressions`, on which erasures put theirs: nothing (`off`, the default) · `without_identity`: sent where a platform takes an event without its person · `not_sent`. In both identity, addresses and custom_data are not kept.',
});

const settings = z
  .object({
    browser_ingestion_enabled: z.boolean(),
    origins: z.array(z.string()).meta({
      description: 'Origins of the pages whose events are taken; any where there is none.',
    }),
    server_copy_wait_sec: z.int(),
    page_copy_wait_sec: z.int().meta({
      description:
        'How long an order that a server sends without a click id waits for the browser event of its event_id; 0: not at all.',
    }),
    events_per_minute_max: z.int(),
    retention_days: z.int(),
    time_zone: z.string().meta({ description: 'Whose days are those of analytics and of lists.' }),
    reporting_currency: z.string().nullable().meta({
      description: 'In which sums of all currencies are shown, at the rates of `PUT /v1/account/rates`.',
    }),
    allowed_parameters: z.array(z.string()),
    withhold_personal_from: z.array(z.string()).meta({
      description:
        'Platforms that get no event in which something personal was found beside user_data; from others’ it is removed.',
    }),
    suppression,
  })
  .meta({ id: 'AccountSettings' });

const account = z
  .object({
    merchant_id: z.string(),
    version: z.int().meta({ description: 'Of profile and settings; `If-Match` takes it in quotes.' }),
    name: z.string(),
    email: z.string(),
    store_platform: z.string().nullable(),
    store_url: z.string().nullable(),
    onboarding_step: z.string(),
    onboarding_completed: z.boolean(),
    created_at: z.iso.datetime(),
    settings,
  })
  .meta({ id: 'Account' });

const onboarding = z
  .object({
    connections: z.int(),
    active_api_keys: z.int(),
    members: z.int(),
    open_invitations: z.int(),
    server_event_names: z.array(z.string()).meta({ description: 'Names of events that came from servers.' }),
  })
  .meta({ id: 'OnboardingFacts', description: 'What is done already, counted from what is stored.' });

const storeUrl = z
  .string()
  .trim()
  .max(2_048)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https URL');

const change = z
  .strictObject({
    name: line(200),
    email: emailAddress,
    store_platform: line(40).nullable(),
    store_url: storeUrl.nullable(),
    onboarding_step: line(60),
    onboarding_completed: z.boolean(),
    settings: z
      .strictObject({
        browser_ingestion_enabled: z.boolean(),
        origins: z
          .array(z.string().max(300).refine(isOrigin, 'must be an origin such as https://shop.example'))
          .max(ORIGINS_MAX)
          .transform((origins) => [...new Set(origins)]),
        server_copy_wait_sec: z.int().min(0).max(SERVER_COPY_WAIT_MAX_SEC).nullable(),
        page_copy_wait_sec: z.int().min(0).max(PAGE_COPY_WAIT_MAX_SEC).nullable(),
        events_per_minute_max: z.int().min(1).max(BROWSER_EVENTS_PER_MINUTE_MAX).nullable(),
        retention_days: z.int().min(1).max(RETENTION_DAYS_MAX).nullable().meta({
          description: 'Days for which personal data is kept. Fewer erase at the next hour what is older.',
        }),
        suppression: suppression.nullable(),
        time_zone: timeZone.nullable(),
        reporting_currency: currencyCode.nullable(),
        allowed_parameters: z
          .array(
            z
              .string()
              .trim()
              .max(100)
              .regex(PARAMETER, 'must be the name of a parameter, such as contact')
              .transform((name) => name.toLowerCase()),
          )
          .max(ALLOWED_PARAMETERS_MAX)
          .transform((names) => [...new Set(names)])
          .nullable()
          .meta({
            description:
              'Parameters of addresses, and members of custom_data, whose e-mail addresses, phone numbers and names may go to platforms.',
          }),
        withhold_personal_from: z
          .array(z.string().refine((slug) => platformBySlug(slug) !== undefined, 'is not a platform'))
          .max(50)
          .transform((slugs) => [...new Set(slugs)])
          .nullable()
          .meta({
            description:
              'Platforms that are to get no event in which something personal is found in addresses, search text, titles or custom_data. For later events.',
          }),
      })
      .partial()
      .refine((body) => Object.keys(body).length > 0, 'must name at least one setting')
      .meta({ description: 'null: back to the default.' }),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'must name at least one field');

export const getAccount = defineRoute({
  ...SEES,
  id: 'getAccount',
  method: 'GET',
  path: '/v1/account',
  summary: 'Merchant profile and settings, and what the caller may do',
  query: z.strictObject({}),
  replies: succeeds({
    account,
    caller: z.object({
      kind: z.enum(['session', 'key']),
      id: z.string(),
      role: z.enum(MEMBER_ROLES).nullable().meta({ description: 'Null for an API key.' }),
      operations: z.array(z.string()).meta({ description: 'Ids of the operations it may call.' }),
    }),
    onboarding,
  }),
  replyHeaders: etag,
  errors: ['not_found'],
});

export const updateAccount = defineRoute({
  ...MANAGES,
  id: 'updateAccount',
  method: 'PATCH',
  path: '/v1/account',
  summary: 'Change what is named, and nothing else; ingestion follows within half a minute',
  headers: z.object({ 'if-match': z.string().max(200).optional() }),
  body: change,
  replies: succeeds({ account }),
  replyHeaders: etag,
  errors: ['not_found', 'precondition_failed'],
});

export const ACCOUNT_ROUTES = [getAccount, updateAccount] as const;
