// Raw mails, parsed with postal-mime. Guarantees: never throws; text in any charset becomes well-formed text without
// control characters; the receiving server's results are believed only above the second `Received`, where only that
// server can write. Refuses: mails nested deeper than real ones (null).
import PostalMime, {
  type Address,
  addressParser,
  decodeWords,
  type Email,
  type Mailbox as ParsedMailbox,
} from 'postal-mime';
import type { InboundMail, Mailbox, MailVerdicts } from '../../helpdesk/domain/mail/inbound-mail.ts';
import { htmlToText } from './html-text.ts';
import { readAgain, saysAscii } from './mislabelled.ts';

const NESTING_MAX = 40;
const HEADERS_MAX_BYTES = 262_144;
/** The most characters of text that are read. */
const TEXT_MAX = 1_000_000;
const RECIPIENTS_MAX = 100;
const ANSWERS_MAX = 30;
const NAME_MAX = 200;

/** Null if it cannot be read as a mail. */
export async function parseMail(raw: Uint8Array): Promise<InboundMail | null> {
  let email: Email;
  try {
    email = await PostalMime.parse(raw, {
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: HEADERS_MAX_BYTES,
      // An attached mail stays an attachment: its text is not its sender's.
      forceRfc822Attachments: true,
    });
  } catch {
    return null;
  }
  const from = mailboxOf(email.from) ?? mailboxOf(email.sender);
  return {
    from,
    replyTo: answersTo(email),
    recipients: recipientsOf(email),
    subject: oneLine(email.subject ?? ''),
    messageId: idsOf(email.messageId)[0] ?? null,
    answers: [...idsOf(email.inReplyTo), ...idsOf(email.references).reverse()].slice(0, ANSWERS_MAX),
    date: email.date === undefined ? null : clean(email.date),
    text: textOf(email, saysAscii(raw) ? readAgain : (text) => text),
    attachments: email.attachments.map(({ filename, content, mimeType }) => ({
      name: oneLine(filename ?? '').slice(0, NAME_MAX) || mimeType,
      type: oneLine(mimeType).slice(0, NAME_MAX),
      sizeBytes: typeof content === 'string' ? content.length : content.byteLength,
    })),
    headers: headersOf(email),
    verdicts: verdictsOf(email, from),
  };
}

function textOf({ text, html }: Email, reread: (text: string) => string): string {
  const plain = clean(reread((text ?? '').slice(0, TEXT_MAX)));
  if (plain.trim() !== '' || html === undefined) return plain;
  return clean(htmlToText(reread(html.slice(0, TEXT_MAX))));
}

/** Well-formed, without NUL and other controls, except line ends and tabs. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');
}

const oneLine = (text: string): string => clean(text).replaceAll(/\s+/g, ' ').trim();

function mailboxOf(address: Address | undefined): Mailbox | null {
  const [first] = address === undefined ? [] : mailboxes([address]);
  if (first === undefined) return null;
  const written = oneLine(first.address).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(written)) return null;
  const name = oneLine(first.name);
  return { address: written, name: name === '' ? null : name };
}

const REPLY_TO_MAX = 10;

/**
 * Mailman and Google Groups replace the sender by their own address if its domain asks for DMARC, and keep the original
 * sender elsewhere.
 */
function answersTo(email: Email): readonly Mailbox[] {
  const named = mailboxes(email.replyTo).slice(0, REPLY_TO_MAX);
  const original = email.headers.find(({ key }) => key === 'x-original-from')?.value ?? '';
  return [...named, ...mailboxes(addressParser(decodeWords(original.slice(0, 1_000)))).slice(0, 1)].flatMap(
    (address) => mailboxOf(address) ?? [],
  );
}

const mailboxes = (addresses: readonly Address[] | undefined): readonly ParsedMailbox[] =>
  (addresses ?? []).flatMap((address) => (address.group === undefined ? [address] : address.group));

/** From the envelope, if a server noted it, then from the headers. */
function recipientsOf(email: Email): readonly string[] {
  const envelope = email.headers.flatMap(({ key, value }, index) => {
    if (key === 'received')
      return index === email.headers.findIndex((header) => header.key === 'received') ? forOf(value) : [];
    return ENVELOPE.has(key) ? addressesIn(value) : [];
  });
  const written = mailboxes([...(email.to ?? []), ...(email.cc ?? []), ...(email.bcc ?? [])]);
  const all = [...envelope, ...written.map(({ address }) => address)];
  return [...new Set(all.map((address) => address.trim().toLowerCase()))].slice(0, RECIPIENTS_MAX);
}

const ENVELOPE: ReadonlySet<string> = new Set([
  'delivered-to',
  'x-original-to',
  'x-forwarded-to',
  'envelope-to',
]);

const forOf = (received: string): readonly string[] => {
  const [, address] = /\bfor\s+<?([^\s<>;]{3,254})>?/.exec(received.slice(0, 2_000)) ?? [];
  return address?.includes('@') === true ? [address] : [];
};

const addressesIn = (value: string): readonly string[] =>
  value.slice(0, 10_000).match(/[^\s<>,;"]{1,64}@[^\s<>,;"]{1,255}/g) ?? [];

/** In their order. */
function idsOf(value: string | undefined): string[] {
  return value?.slice(0, 50_000).match(/<[^<>\s]{1,500}>/g) ?? [];
}

/** The last hop comes first; a header that the sender wrote comes below. */
function headersOf({ headers }: Email): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { key, value } of headers) if (!first.has(key)) first.set(key, clean(value));
  return first;
}

/** https://docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html */
function verdictsOf({ headers }: Email, from: Mailbox | null): MailVerdicts {
  const hops = headers.flatMap(({ key }, index) => (key === 'received' ? [index] : []));
  const own = new Map<string, string>();
  for (const { key, value } of headers.slice(0, hops[1] ?? headers.length))
    if (!own.has(key)) own.set(key, value);
  const says = (name: string): string => (own.get(name) ?? '').trim().toUpperCase();
  const results = own.get('authentication-results') ?? '';
  return {
    isSpam: says('x-ses-spam-verdict') === 'FAIL',
    isVirus: says('x-ses-virus-verdict') === 'FAIL',
    sender: /^\s*amazonses\.com\b/i.test(results) ? senderVerdict(results, from) : 'none',
  };
}

function senderVerdict(results: string, from: Mailbox | null): MailVerdicts['sender'] {
  const dmarc = /\bdmarc=(\w+)/i.exec(results)?.[1]?.toLowerCase();
  if (dmarc === 'pass') return 'pass';
  if (dmarc === 'fail') return 'fail';
  const domain = from?.address.slice(from.address.lastIndexOf('@') + 1);
  const signed = [...results.matchAll(/\bdkim=pass\b[^;]{0,200}?\bheader\.[id]=@?([\w.-]{1,255})/gi)];
  return signed.some(([, signer]) => signer?.toLowerCase() === domain) ? 'pass' : 'none';
}
