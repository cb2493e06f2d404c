// A public reply on its way to the customer by e-mail.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
export const MAIL_STATUSES = [
  /** The provider has not been asked, or did not take it. */
  'pending',
  /** A worker holds it until its lease ends. */
  'sending',
  'sent',
  /** The provider was asked and the result is unknown: its own notice settles it, or it is asked once more. */
  'unknown',
  /** It was not sent and will not be. */
  'failed',
  /** The customer's address takes no mail since an earlier one came back: not sent. */
  'suppressed',
  'bounced',
  'complained',
] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** Why a public reply does not go by e-mail. */
export const UNMAILED_REASONS = [
  /** Its ticket has no address. */
  'no_address',
  /** Its ticket came by another channel than e-mail, and the workspace does not mail answers to those. */
  'other_channel',
  /** The deployment has no e-mail. */
  'no_mail_domain',
] as const;
export type UnmailedReason = (typeof UNMAILED_REASONS)[number];

export const STORED_MAIL = z.looseObject({
  /** The id of its message: one mail for each. */
  id: z.string(),
  workspaceId: z.string(),
  ticketId: z.string(),
  status: z.enum(MAIL_STATUSES),
  /** Times the provider was asked. */
  attempts: z.number(),
  /** The id that SES gave it. */
  providerId: z.string().nullable(),
  error: z.string().nullable(),
  leaseUntilMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** `Message-ID` under which the customer sees it, with its angle brackets: SES writes one of its own over ours. */
  messageId: z.string().exactOptional(),
  /** Since when its result is unknown; only while it is. */
  unknownSinceMs: z.number().exactOptional(),
  /** Times it was asked for again although an earlier request may have been carried out. */
  repeats: z.number().exactOptional(),
});
/** One public reply on its way to the customer by e-mail. */
export type OutboundMail = StoredAs<typeof STORED_MAIL>;
