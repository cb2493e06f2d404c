// What a ticket shows of a mail. Guarantees: within the limits of a message and a subject, in whole characters.
import { TEXT_LIMITS } from '../account/limits.ts';
import type { InboundMail } from './inbound-mail.ts';
import { stripQuotes } from './quotes.ts';

const ATTACHMENTS_MAX = 20;
const ATTACHMENT_NAME_MAX = 120;
const TYPE_MAX = 80;

export interface BodyNotes {
  /** Where the original lies, for those who want what is attached. */
  readonly originalKey?: string;
  /** Of a mail that names another address for answers. */
  readonly sentBy?: string;
}

/** `isAnswer`: what it quotes is in the ticket already. What was not written for us to read stays as it is. */
export function bodyOf(
  mail: Pick<InboundMail, 'text' | 'attachments'>,
  isAnswer: boolean,
  notes: BodyNotes = {},
): string {
  const text = isAnswer ? stripQuotes(mail.text).text : mail.text.replaceAll('\r\n', '\n').trim();
  const named = [...senderLine(notes), ...attachmentLines(mail.attachments, notes)].join('\n');
  const shown = text === '' && mail.attachments.length === 0 ? '(The mail has no text.)' : text;
  const room = TEXT_LIMITS.bodyChars - (named === '' ? 0 : [...named].length + 2);
  return [cut(shown, room), named].filter((part) => part !== '').join('\n\n');
}

export function subjectOfMail(subject: string): string {
  const text = subject.trim();
  return text === '' ? '(no subject)' : cut(text, TEXT_LIMITS.subjectChars);
}

export const senderName = (name: string | null): string | null =>
  name === null ? null : cut(name, TEXT_LIMITS.nameChars);

const senderLine = ({ sentBy }: BodyNotes): readonly string[] =>
  sentBy === undefined ? [] : [`[Sent by ${cut(sentBy, TEXT_LIMITS.emailChars)}]`];

/** What an agent needs to ask for the files: nothing here gives them. */
function attachmentLines(
  attachments: InboundMail['attachments'],
  { originalKey }: BodyNotes,
): readonly string[] {
  const lines = attachments
    .slice(0, ATTACHMENTS_MAX)
    .map(
      ({ name, type, sizeBytes }) =>
        `[Attachment: ${cut(name, ATTACHMENT_NAME_MAX)}, ${cut(type, TYPE_MAX)}, ${sizeText(sizeBytes)}]`,
    );
  const more = attachments.length - lines.length;
  const isKept = attachments.length > 0 && originalKey !== undefined;
  return [
    ...lines,
    ...(more > 0 ? [`[${more} more attachments]`] : []),
    ...(isKept
      ? [`[Attachments are in the original mail only. Your operator can fetch it: ${originalKey}]`]
      : []),
  ];
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
