// E-mail on a laptop, under the sandbox's address: SES's SendEmail, the mails that were sent (`/mail`, and as JSON under
// `/mail/messages`), and a way to send one in (`POST /mail/inbound`). Refuses: bodies above 40 MB.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseMail } from '#lib/adapters/mail/parse.ts';
import type { ObjectStore } from '#lib/helpdesk/ports/mail.ts';
import { readBody } from '../http/server.ts';
import { inboundMail, notificationOf } from './inbound.ts';
import type { KeptMail, Mailbox } from './mailbox.ts';
import { listPage, mailPage, PAGE_HEADERS, type ShownMail } from './pages.ts';
import { SEND_PATH, type SesAnswer, sendEmail } from './ses.ts';

export interface MailRoutesOptions {
  readonly mailbox: Mailbox;
  readonly now: () => number;
  /** As for SES's SendEmail. */
  readonly recognizes?: boolean;
  /** Publishes SES events of a mail, for example to the queue of mail events. */
  readonly publish: (event: object) => void;
  /** Where inbound mails are stored, and how their arrival is notified; absent if no domain is configured. */
  readonly inbound?: {
    readonly bucket: string;
    readonly objects: Pick<ObjectStore, 'write'>;
    /** Sends the S3 notification of the object. */
    readonly notify: (notification: object) => Promise<void>;
  };
}

const BODY_MAX_BYTES = 56 * 1_048_576;

/** Returns false if the path is none of these; the request is then untouched. */
export function createMailRoutes(
  options: MailRoutesOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://sandbox');
    if (pathname !== SEND_PATH && pathname !== '/mail' && !pathname.startsWith('/mail/')) return false;
    const body = await readBody(request, BODY_MAX_BYTES);
    if (body === null) json(response, 413, { error: 'the body is too large' });
    else await answer(options, { method: request.method ?? 'GET', pathname, body, request }, response);
    return true;
  };
}

interface Asked {
  readonly method: string;
  readonly pathname: string;
  readonly body: Uint8Array;
  readonly request: IncomingMessage;
}

async function answer(
  options: MailRoutesOptions,
  { method, pathname, body, request }: Asked,
  response: ServerResponse,
): Promise<void> {
  const { mailbox } = options;
  if (`${method} ${pathname}` === `POST ${SEND_PATH}`)
    return ses(response, sendEmail(Buffer.from(body).toString('utf8'), options));
  if (`${method} ${pathname}` === 'POST /mail/inbound')
    return await takeInbound(options, body, request.headers['content-type'] ?? '', response);
  if (method !== 'GET') return json(response, 405, { error: 'not allowed here' });
  if (pathname === '/mail') return html(response, listPage(await Promise.all(mailbox.list().map(shown))));
  if (pathname === '/mail/messages')
    return json(response, 200, { mails: await Promise.all(mailbox.list().map(shown)), taken: mailbox.taken });
  const [, id = '', part] = /^\/mail\/(?:messages\/)?([^/]+)(\/raw)?$/.exec(pathname) ?? [];
  const mail = mailbox.find(decode(id));
  if (mail === undefined) return json(response, 404, { error: 'no such mail' });
  if (part === '/raw') return raw(response, mail);
  const read = await shown(mail);
  return pathname.startsWith('/mail/messages/') ? json(response, 200, read) : html(response, mailPage(read));
}

async function takeInbound(
  { inbound, now }: MailRoutesOptions,
  body: Uint8Array,
  contentType: string,
  response: ServerResponse,
): Promise<void> {
  if (inbound === undefined) return json(response, 404, { error: 'no mail domain is configured' });
  const read = inboundMail(body, contentType, now());
  if ('problem' in read) return json(response, 400, { error: read.problem });
  const key = `inbound/${randomUUID()}`;
  await inbound.objects.write(key, read.raw, 'message/rfc822');
  await inbound.notify(notificationOf(inbound.bucket, key, read.raw.byteLength, now()));
  json(response, 202, { success: true, key });
}

const HEADERS = ['from', 'reply-to', 'to', 'subject', 'date', 'message-id', 'in-reply-to', 'references'];

async function shown({ id, atMs, to, raw: source }: KeptMail): Promise<ShownMail> {
  const mail = await parseMail(Buffer.from(source, 'base64'));
  const of = (name: string): string => mail?.headers.get(name) ?? '';
  return {
    id,
    at: new Date(atMs).toISOString(),
    from: of('from'),
    reply_to: of('reply-to'),
    to,
    subject: mail?.subject ?? '(not readable)',
    text: mail?.text ?? '',
    headers: Object.fromEntries(HEADERS.filter((name) => of(name) !== '').map((name) => [name, of(name)])),
  };
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return '';
  }
}

function ses(response: ServerResponse, { status, body, errorType }: SesAnswer): void {
  if (errorType !== undefined) response.setHeader('x-amzn-errortype', errorType);
  response.setHeader('x-amzn-requestid', randomUUID());
  json(response, status, body);
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(`${JSON.stringify(body)}\n`);
}

function html(response: ServerResponse, text: string): void {
  response.writeHead(200, PAGE_HEADERS);
  response.end(text);
}

/** As text, so that a browser does not show it as a page. */
function raw(response: ServerResponse, { raw: source }: KeptMail): void {
  response.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' });
  response.end(Buffer.from(source, 'base64'));
}
