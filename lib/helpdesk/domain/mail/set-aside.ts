// A mail that came to a workspace and became no message, and why: so that agents can find what was put aside by mistake. It is
// kept for 30 days; its original lies with those of all mails.
import type { InboundMail, Mailbox, Screening } from './inbound-mail.ts';

type Refused = Exclude<Screening, { readonly verdict: 'take' }>;

export const ASIDE_REASONS = [
  /** A newsletter. */
  'bulk',
  /** Such as out of office. */
  'auto_reply',
  /** A mail server tells of a mail that it could not deliver. */
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

/** What an agent cannot have taken in after all: it would harm them, or there is nothing to take in. */
const REFUSED: ReadonlySet<AsideReason> = new Set(['virus', 'no_sender', 'too_large', 'unreadable']);
export const canBeAccepted = ({ reason }: Pick<SetAsideMail, 'reason'>): boolean => !REFUSED.has(reason);

export const ASIDE_KEPT_DAYS = 30;
export const ASIDE_KEPT_MS = ASIDE_KEPT_DAYS * 86_400_000;

export interface SetAsideMail {
  /** UUIDv7 of when it came and of what it is: however often it is brought, it is listed once. */
  readonly id: string;
  readonly workspaceId: string;
  readonly reason: AsideReason;
  readonly from: Mailbox | null;
  /** Lowercase: whom its ticket would be of, where that is not its sender. */
  readonly customerEmail: string | null;
  readonly subject: string;
  readonly receivedAtMs: number;
  readonly originalKey: string;
  /** Whose reply address it came to; null where it came to the workspace's. */
  readonly answersTicketId: string | null;
  /** Of the one it became a message of, once an agent had it taken in. */
  readonly ticketId: string | null;
}

/** True where the person of this address is in it. */
export const isAsideOf = ({ from, customerEmail }: SetAsideMail, email: string): boolean =>
  from?.address === email || customerEmail === email;

/** What a mail is, whoever brings it: two mails of one Message-ID that say different things are two. */
export function identityOf(
  { messageId, from, date, subject, text }: InboundMail,
  customerEmail: string | null,
): readonly (string | null)[] {
  // Some programs give every mail the same id, and some forms none.
  return [messageId ?? customerEmail, from?.address ?? null, date, subject, text];
}
