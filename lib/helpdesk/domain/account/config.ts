// The fields of a workspace's `config` that this service reads; all others belong to the workspace. Guarantees: reading
// never fails, and a value of a wrong type counts as absent; writing refuses it by name.
import * as z from 'zod';

export const TICKET_PREFIX_DEFAULT = 'TKT';
export const RETENTION_DAYS = { min: 30, max: 3_650 } as const;

const FIELDS = {
  ticket_prefix: z
    .string()
    .regex(/^[A-Z][A-Z0-9]{0,7}$/, 'must be 1 to 8 capital letters and digits, a letter first'),
  snooze_on_customer_reply: z.enum(['cancel', 'keep']),
  reply_by_mail: z.enum(['email_tickets', 'every_ticket']),
  retention_days: z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max).nullable(),
  ai: z.looseObject({ auto_draft: z.boolean().optional() }),
};

/** As callers give it: known fields as they must be, others as they are. */
export const accountConfigSchema = z.looseObject(FIELDS).partial();

export interface AccountConfig {
  readonly ticketPrefix: string;
  /** A customer's message makes a run. */
  readonly autoDraft: boolean;
  /** A customer's message does not end a snooze. */
  readonly keepsSnooze: boolean;
  /** Replies go by e-mail for tickets of every channel, if there is an address. */
  readonly mailsEveryTicket: boolean;
  /** Days after which what is closed is purged; null: never. */
  readonly retentionDays: number | null;
}

export const ACCOUNT_CONFIG_DEFAULT: AccountConfig = {
  ticketPrefix: TICKET_PREFIX_DEFAULT,
  autoDraft: true,
  keepsSnooze: false,
  mailsEveryTicket: false,
  retentionDays: null,
};

/** `config`: JSON text of an object. */
export function accountConfigOf(account: { readonly config: string } | null): AccountConfig {
  if (account === null) return ACCOUNT_CONFIG_DEFAULT;
  const config = objectOf(account.config);
  const read = <T>(schema: z.ZodType<T>, value: unknown): T | undefined =>
    schema.safeParse(value, { jitless: true }).data;
  const ai = read(FIELDS.ai, config.ai);
  return {
    ticketPrefix: read(FIELDS.ticket_prefix, config.ticket_prefix) ?? TICKET_PREFIX_DEFAULT,
    autoDraft: ai?.auto_draft ?? true,
    keepsSnooze: read(FIELDS.snooze_on_customer_reply, config.snooze_on_customer_reply) === 'keep',
    mailsEveryTicket: read(FIELDS.reply_by_mail, config.reply_by_mail) === 'every_ticket',
    retentionDays: read(FIELDS.retention_days, config.retention_days) ?? null,
  };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
