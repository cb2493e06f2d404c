// The workspace as its agents configure it.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { accountConfigSchema } from '../domain/account/config.ts';
import { TEXT_LIMITS } from '../domain/account/limits.ts';
import { ETAG, freeForm, ifMatch, ifNoneMatch, line, time, v1 } from './wire.ts';

const account = z
  .object({
    id: z.string(),
    name: z.string(),
    default_language: z.string().meta({ description: 'BCP 47.' }),
    default_timezone: z.string().meta({ description: 'IANA.' }),
    config: z.record(z.string(), z.unknown()),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Account' });

const language = z
  .string()
  .max(TEXT_LIMITS.languageChars)
  .refine(isLanguage, 'must be a language tag such as en or pt-BR')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag);
const timezone = z
  .string()
  .max(TEXT_LIMITS.timezoneChars)
  .refine(isTimezone, 'must be a time zone such as Europe/Berlin');

export const getAccount = defineRoute({
  ...v1('manage:workspace'),
  id: 'getAccount',
  method: 'GET',
  path: '/api/v1/accounts',
  summary: 'The workspace',
  headers: ifNoneMatch,
  replies: { 200: account, 304: null },
  replyHeaders: ETAG,
  errors: [],
});

export const updateAccount = defineRoute({
  ...v1('manage:workspace', 30),
  id: 'updateAccount',
  method: 'PUT',
  path: '/api/v1/accounts',
  summary: 'Change what is given of the workspace; `config` is replaced whole',
  headers: ifMatch,
  body: z.strictObject({
    name: line(TEXT_LIMITS.nameChars).optional(),
    default_language: language.optional(),
    default_timezone: timezone.optional(),
    config: freeForm(TEXT_LIMITS.configBytes).pipe(accountConfigSchema).optional().meta({
      description:
        'Anything. Read of it: `ticket_prefix`, `snooze_on_customer_reply` (cancel or keep), `retention_days` (30 to 3650), `ai.auto_draft`.',
    }),
  }),
  replies: { 200: account },
  replyHeaders: ETAG,
  errors: ['precondition_failed'],
});

export const ACCOUNT_ROUTES = [getAccount, updateAccount] as const;

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Names only: offsets such as +02:00, which some platforms take, are none. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
