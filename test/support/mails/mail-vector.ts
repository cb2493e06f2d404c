// A raw mail as a mail program writes it, and what is to be read of it. The sentences are ours; the shapes are the programs'.

export interface MailVector {
  readonly name: string;
  /** Line ends become CRLF. */
  readonly raw: string | Uint8Array;
  /** What a ticket shows of it; absent where it is not to be taken. */
  readonly text?: string;
  readonly from?: string;
  readonly subject?: string;
  /** Whom an answer goes to. */
  readonly customer?: string;
  /** Why it is put aside; absent where it is taken. */
  readonly aside?: string;
  readonly attachments?: readonly string[];
}

export const bytesOf = ({ raw }: MailVector): Uint8Array =>
  typeof raw === 'string' ? Buffer.from(raw.replaceAll('\n', '\r\n')) : raw;

/** Headers that every mail of a person has. */
export function head(
  fields: Readonly<Record<string, string>> = {},
  from = 'Jane Doe <jane@customer.example>',
): string {
  const all: Readonly<Record<string, string>> = {
    From: from,
    To: 'Support <support+0000000000000000000000001@mail.example.com>',
    Subject: 'Re: Broken lamp [TKT-000042]',
    Date: 'Fri, 20 Nov 2026 10:00:00 +0100',
    'Message-ID': '<one@customer.example>',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
    ...fields,
  };
  return Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** Bodies by name: an answer of one paragraph, and below it what mail programs put there. */
export const answered = (bodies: Readonly<Record<string, string>>): readonly MailVector[] =>
  Object.entries(bodies).map(([name, body]) => ({
    name,
    raw: `${head()}\n${body}`,
    text: body.slice(0, body.indexOf('\n\n')),
  }));
