// Amazon SES's SendEmail (API v2), as far as this product uses it: raw mails are kept, and the events that SES would
// send are published. Addresses of SES's mailbox simulator behave as they do there: `bounce@`, `complaint@` and
// `suppressionlist@` `simulator.amazonses.com`.
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import type { Mailbox } from './mailbox.ts';
import { encodedWord, textMail } from './text-mail.ts';

export const SEND_PATH = '/v2/email/outbound-emails';

const RAW_MAX_BYTES = 40 * 1_048_576;

const part = z.looseObject({ Data: z.string() });
const sendSchema = z.looseObject({
  FromEmailAddress: z.string().optional(),
  Content: z.union([
    z.object({ Raw: z.looseObject({ Data: z.base64().min(1) }) }),
    z.object({ Simple: z.looseObject({ Subject: part, Body: z.looseObject({ Text: part }) }) }),
  ]),
  Destination: z.looseObject({ ToAddresses: z.array(z.string().includes('@')).min(1).max(50) }),
  ConfigurationSetName: z.string().optional(),
  EmailTags: z
    .array(z.object({ Name: z.string().regex(/^[\w-]{1,256}$/), Value: z.string().regex(/^[\w-]{1,256}$/) }))
    .default([]),
});

export interface SesAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The error type, as the SDK reads it. */
  readonly errorType?: string;
}

export interface SesOptions {
  readonly mailbox: Mailbox;
  readonly now: () => number;
  /** Deduplicate: a reply that was taken before gets the same answer; SES itself would send it twice. */
  readonly recognizes?: boolean;
  /** Publishes the SES events of the mail, in order. */
  readonly publish: (event: Readonly<Record<string, unknown>>) => void;
}

export function sendEmail(body: string, { mailbox, now, publish, recognizes }: SesOptions): SesAnswer {
  const parsed = sendSchema.safeParse(parseJson(body));
  if (!parsed.success) return refusal('BadRequestException', z.prettifyError(parsed.error));
  const { Content: content, Destination: destination, EmailTags: given } = parsed.data;
  const raw = 'Raw' in content ? content.Raw.Data : rawOf(parsed.data, content.Simple);
  if (raw.length * 0.75 > RAW_MAX_BYTES) return refusal('MessageRejected', 'Email is too large.');
  const nowMs = now();
  const id = `0100${nowMs.toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
  const tags = Object.fromEntries(given.map(({ Name, Value }) => [Name, Value]));
  const before = recognizes === true ? mailbox.findReply(tags) : undefined;
  if (before !== undefined) {
    // The events of the first request were lost with the in-memory queue.
    for (const event of eventsOf(before.id, before.to, tags, before.atMs)) publish(event);
    return { status: 200, body: { MessageId: before.id } };
  }
  mailbox.take({ id, atMs: nowMs, to: destination.ToAddresses, tags, raw });
  for (const event of eventsOf(id, destination.ToAddresses, tags, nowMs)) publish(event);
  return { status: 200, body: { MessageId: id } };
}

/** A simple mail as SES would send it: text in UTF-8, headers as RFC 2047 writes them. */
function rawOf(
  { FromEmailAddress: from = '', Destination: { ToAddresses: to } }: z.output<typeof sendSchema>,
  {
    Subject: subject,
    Body: { Text: text },
  }: { readonly Subject: Part; readonly Body: { readonly Text: Part } },
): string {
  return textMail(
    [`From: ${from}`, `To: ${to.join(', ')}`, `Subject: ${encodedWord(subject.Data)}`],
    text.Data,
  ).toString('base64');
}

type Part = z.output<typeof part>;

const refusal = (errorType: string, message: string): SesAnswer => ({
  status: 400,
  body: { message },
  errorType,
});

function eventsOf(
  messageId: string,
  destination: readonly string[],
  tags: Readonly<Record<string, string>>,
  nowMs: number,
): readonly Readonly<Record<string, unknown>>[] {
  const timestamp = new Date(nowMs).toISOString();
  const mail = {
    timestamp,
    messageId,
    destination,
    tags: Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
  };
  const [to = ''] = destination;
  return [
    { eventType: 'Send', mail, send: {} },
    { mail, ...fateOf(to.toLowerCase(), timestamp) },
  ];
}

const SIMULATOR = '@simulator.amazonses.com';

function fateOf(to: string, timestamp: string): Readonly<Record<string, unknown>> {
  const bounce = (bounceSubType: string, diagnosticCode: string) => ({
    eventType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType,
      timestamp,
      bouncedRecipients: [{ emailAddress: to, action: 'failed', status: '5.1.1', diagnosticCode }],
    },
  });
  if (to === `bounce${SIMULATOR}`) return bounce('General', 'smtp; 550 5.1.1 user unknown');
  if (to === `suppressionlist${SIMULATOR}`) return bounce('Suppressed', 'Amazon SES did not send it');
  if (to === `complaint${SIMULATOR}`)
    return {
      eventType: 'Complaint',
      complaint: { timestamp, complainedRecipients: [{ emailAddress: to }], complaintFeedbackType: 'abuse' },
    };
  return { eventType: 'Delivery', delivery: { timestamp, recipients: [to], smtpResponse: '250 ok' } };
}
