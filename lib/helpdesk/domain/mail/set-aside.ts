// A mail that came to a workspace and became no message, with the reason, so that agents can find what was set aside by
// mistake. It is kept for 30 days; its original is stored with those of all mails.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import type { InboundMail, Mailbox, Screening } from './inbound-mail.ts';

type Refused = Exclude<Screening, { readonly verdict: 'take' }>;

export const ASIDE_REASONS = [
  /** A newsletter. */
  'bulk',
  /** Such as out of office. */
  'auto_reply',
  /** A mail server reports a mail that it could not deliver. */
  'bounce',
  /** A mail of ours that came back, or one from an address of ours. */
  'loop',
  'no_sender',
  'spam',
  'virus',
  /** Of the next two only the head was read. */
  'too_large',
  'unreadable',
] as const satisfies readonly (Refused['reason'] | 'too_large' | 'unreadable')[];
export type AsideReason = (typeof ASIDE_REASONS)[number];

/** Reasons that an agent cannot override: the mail would do harm, or has no readable content. */
const REFUSED: ReadonlySet<AsideReason> = new Set(['virus', 'no_sender', 'too_large', 'unreadable']);
export const canBeAccepted = ({ reason }: Pick<SetAsideMail, 'reason'>): boolean => !REFUSED.has(reason);

export const ASIDE_KEPT_DAYS = 30;
export const ASIDE_KEPT_MS = ASIDE_KEPT_DAYS * 86_400_000;

export const STORED_SET_ASIDE = z.looseObject({
  /** UUIDv7 derived from its time and identity: a mail that is delivered again is listed once. */
  id: z.string(),
  workspaceId: z.string(),
  reason: z.enum(ASIDE_REASONS),
  from: z
    .looseObject({
      address: z.string(),
      name: z.string().nullable(),
    } satisfies Record<keyof Mailbox, z.ZodType>)
    .nullable(),
  /** Lowercase: the ticket's customer, if that is not the sender. */
  customerEmail: z.string().nullable(),
  subject: z.string(),
  receivedAtMs: z.number(),
  originalKey: z.string(),
  /** The ticket whose reply address it came to; null if it came to the workspace's address. */
  answersTicketId: z.string().nullable(),
  /** The ticket whose message it became, after an agent accepted it. */
  ticketId: z.string().nullable(),
});
export type SetAsideMail = StoredAs<typeof STORED_SET_ASIDE>;

/** True if this address is its sender or its customer. */
export const isAsideOf = ({ from, customerEmail }: SetAsideMail, email: string): boolean =>
  from?.address === email || customerEmail === email;

/** Identifies a mail across deliveries: two mails with one Message-ID and different content are two. */
export function identityOf(
  { messageId, from, date, subject, text }: InboundMail,
  customerEmail: string | null,
): readonly (string | null)[] {
  // Some programs give every mail the same id, and some forms give none.
  return [messageId ?? customerEmail, from?.address ?? null, date, subject, text];
}
