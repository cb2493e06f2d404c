// An SES event of a mail, as the queue has it: published by EventBridge (`detail`), by SNS (`Message`, JSON text) or by
// SNS with raw delivery (the event itself).
// https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
import * as z from 'zod';

const text = z.string();
const recipients = z.array(z.looseObject({ diagnosticCode: text.optional() }));

const sesEventSchema = z.looseObject({
  eventType: text,
  mail: z.looseObject({
    messageId: text.min(1),
    timestamp: text,
    tags: z.record(text, z.array(text)).optional(),
  }),
  bounce: z
    .looseObject({
      bounceType: text,
      bounceSubType: text.optional(),
      timestamp: text,
      bouncedRecipients: recipients,
    })
    .optional(),
  complaint: z.looseObject({ timestamp: text }).optional(),
  reject: z.looseObject({ reason: text.optional() }).optional(),
});

/** Of one mail of ours. */
export interface MailEvent {
  readonly workspaceId: string;
  /** The mail's. */
  readonly id: string;
  readonly providerId: string;
  readonly what: 'taken' | 'bounced' | 'bounced_for_now' | 'complained' | 'rejected' | 'other';
  /** When it happened, ms. */
  readonly atMs: number;
  /** What the customer's mail server said. */
  readonly reason: string | null;
}

/** Null: an event of no mail of ours, such as a test of the wiring. */
export const mailEventSchema = z.unknown().transform((value, context): MailEvent | null => {
  const found = unwrapped(value);
  if (found === null) return null;
  const parsed = sesEventSchema.safeParse(found);
  if (parsed.success) return eventOf(parsed.data);
  context.addIssue({ code: 'custom', message: 'is no event of SES' });
  return z.NEVER;
});

/** What is no event at all is null; what says it is one is looked at closely. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  if ('eventType' in value) return value;
  if ('detail' in value) return value.detail;
  if ('Message' in value && typeof value.Message === 'string') return jsonOf(value.Message);
  return null;
}

/** SNS and SES introduce themselves with a sentence. */
function jsonOf(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return null;
  }
}

const WHAT: Readonly<Record<string, MailEvent['what']>> = {
  Send: 'taken',
  Delivery: 'taken',
  DeliveryDelay: 'taken',
  Bounce: 'bounced',
  Complaint: 'complained',
  Reject: 'rejected',
};

function eventOf(event: z.output<typeof sesEventSchema>): MailEvent | null {
  const { mail, bounce, complaint, reject } = event;
  const [workspaceId] = mail.tags?.workspace ?? [];
  const [id] = mail.tags?.mail ?? [];
  if (workspaceId === undefined || id === undefined) return null;
  const what = WHAT[event.eventType] ?? 'other';
  const said = bounce?.bouncedRecipients[0]?.diagnosticCode ?? bounce?.bounceSubType ?? reject?.reason;
  return {
    workspaceId,
    id,
    providerId: mail.messageId,
    // What was undelivered for a passing reason may arrive the next time.
    what: what === 'bounced' && bounce?.bounceType !== 'Permanent' ? 'bounced_for_now' : what,
    atMs: timeOf(bounce?.timestamp ?? complaint?.timestamp ?? mail.timestamp),
    reason: said ?? null,
  };
}

function timeOf(timestamp: string): number {
  const atMs = Date.parse(timestamp);
  return Number.isSafeInteger(atMs) && atMs >= 0 ? atMs : 0;
}
