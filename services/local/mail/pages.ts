// The mailbox as pages. Guarantees: any mail is shown as text; a page loads nothing and runs nothing.
import { contentPolicy, escaped, htmlPage } from '../http/html.ts';

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{width:100%;border-collapse:collapse}td,th{text-align:left;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #ccc;overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere}';

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentPolicy(STYLE, "'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** A mail as people read it. */
export interface ShownMail {
  readonly id: string;
  readonly at: string;
  readonly from: string;
  readonly reply_to: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function listPage(mails: readonly ShownMail[]): string {
  const rows = mails.map(
    ({ id, at, from, to, subject }) =>
      `<tr><td>${escaped(at)}<td>${escaped(from)}<td>${escaped(to.join(', '))}<td><a href="/mail/${encodeURIComponent(id)}">${escaped(subject) || '(no subject)'}</a>`,
  );
  const table = `<table><tr><th>Sent<th>From<th>To<th>Subject${rows.join('')}</table>`;
  return page('Mails sent', mails.length === 0 ? '<p>No mail was sent yet.</p>' : table);
}

export function mailPage(mail: ShownMail): string {
  const headers = Object.entries(mail.headers).map(
    ([name, value]) => `<tr><th>${escaped(name)}<td>${escaped(value)}`,
  );
  const source = `/mail/messages/${encodeURIComponent(mail.id)}/raw`;
  return page(
    mail.subject || '(no subject)',
    `<p><a href="/mail">All mails</a> · <a href="${source}">source</a></p><table>${headers.join('')}</table><pre>${escaped(mail.text)}</pre>`,
  );
}

const page = (title: string, body: string): string =>
  htmlPage(title, STYLE, `<h1>${escaped(title)}</h1>${body}`);
