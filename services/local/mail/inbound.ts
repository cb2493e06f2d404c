// A mail that a person sends in on a laptop: raw, or as JSON. Guarantees: what is handed on is what SES would have stored, with
// the headers it puts on top; a mistake in the JSON names its field.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import { encodedWord, textMail } from './text-mail.ts';

const line = z
  .string()
  .max(1_000)
  .regex(/^[^\r\n]*$/, 'must be one line');

const jsonSchema = z.strictObject({
  from: line.min(3),
  to: line.min(3),
  subject: line.default(''),
  text: z.string().max(1_000_000).default(''),
  in_reply_to: line.optional(),
  references: line.optional(),
  message_id: line.optional(),
  /** What SES would find of the sender. */
  dmarc: z.enum(['pass', 'fail', 'none']).default('pass'),
});

export type Inbound =
  | { readonly raw: Uint8Array }
  /** A sentence for a person. */
  | { readonly problem: string };

/** `body` of this content type: `message/rfc822` is taken as it is. */
export function inboundMail(body: Uint8Array, contentType: string, nowMs: number): Inbound {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'message/rfc822')
    return body.byteLength === 0 ? { problem: 'the mail is empty' } : { raw: body };
  if (type !== 'application/json')
    return { problem: 'Content-Type must be message/rfc822 or application/json' };
  const parsed = jsonSchema.safeParse(parseJson(Buffer.from(body).toString('utf8')));
  if (!parsed.success) return { problem: z.prettifyError(parsed.error) };
  return { raw: rawOf(parsed.data, nowMs) };
}

function rawOf(mail: z.output<typeof jsonSchema>, nowMs: number): Buffer {
  const domain = mail.from.slice(mail.from.lastIndexOf('@') + 1).replace(/[>\s].*$/, '');
  const [, recipient = mail.to] = /<([^<>]+)>/.exec(mail.to) ?? [];
  const date = new Date(nowMs).toUTCString().replace('GMT', '+0000');
  const headers = [
    `Return-Path: <${bare(mail.from)}>`,
    `Received: from laptop (localhost [127.0.0.1]) by inbound-smtp.local with SMTP id local for ${recipient}; ${date}`,
    'X-SES-Spam-Verdict: PASS',
    'X-SES-Virus-Verdict: PASS',
    `Authentication-Results: amazonses.com; dmarc=${mail.dmarc} header.from=${domain};`,
    `From: ${encoded(mail.from)}`,
    `To: ${encoded(mail.to)}`,
    `Subject: ${word(mail.subject)}`,
    `Date: ${date}`,
    `Message-ID: ${mail.message_id ?? `<${randomUUID()}@${domain}>`}`,
    ...(mail.in_reply_to === undefined ? [] : [`In-Reply-To: ${mail.in_reply_to}`]),
    ...(mail.references === undefined ? [] : [`References: ${mail.references}`]),
  ];
  return textMail(headers, mail.text);
}

const bare = (address: string): string => /<([^<>]+)>/.exec(address)?.[1] ?? address;

/** A text that is not ASCII becomes an encoded word. */
const word = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : encodedWord(text));

/** Of a mailbox only the name: its address stays as it is. */
function encoded(text: string): string {
  const [, name = '', address = ''] = /^(.*?)\s*(<[^<>]+>)$/.exec(text) ?? [];
  return address === '' ? word(text) : `${word(name)} ${address}`.trim();
}

/** The S3 notification of a new object. */
export function notificationOf(bucket: string, key: string, sizeBytes: number, nowMs: number): object {
  return {
    Records: [
      {
        eventVersion: '2.1',
        eventSource: 'aws:s3',
        eventTime: new Date(nowMs).toISOString(),
        eventName: 'ObjectCreated:Put',
        s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key), size: sizeBytes } },
      },
    ],
  };
}
