// Tokens of tickets and contacts, and how they change. Guarantees: pure, so a record's tokens are known from the record
// alone, without reading the index.
import type { Contact } from '../contacts/contact.ts';
import type { OutboxEntry, SearchType } from '../outbox.ts';
import type { Ticket } from '../tickets/ticket.ts';
import { TOKEN_MAX_CHARS, TOKENS_MAX, tokensOf } from './tokens.ts';

type SearchEntry = Extract<OutboxEntry, { readonly kind: 'search' }>;

export function ticketTokens(
  ticket: Pick<Ticket, 'code' | 'customerEmail' | 'customerName' | 'subject'>,
): readonly string[] {
  return tokensOf([ticket.code, ticket.customerEmail, ticket.customerName, ticket.subject]);
}

export function contactTokens(
  contact: Pick<Contact, 'email' | 'name' | 'firstname' | 'lastname' | 'company' | 'phone' | 'metadata'>,
): readonly string[] {
  const digits = contact.phone?.replaceAll(/\P{Nd}/gu, '') ?? null;
  const lists = listsOf(contact).slice(0, LISTS_MAX).map(listToken);
  const texts = [
    contact.email,
    digits,
    contact.firstname,
    contact.lastname,
    contact.name,
    contact.company,
    contact.phone,
  ];
  return [...new Set(lists), ...tokensOf(texts, TOKENS_MAX - LISTS_MAX)];
}

/** Lists by which a contact is found; more are kept and not found. */
export const LISTS_MAX = 10;

/** No word has a `=`. Names are compared as they are; of long ones the record itself says whether it is the one. */
export const listToken = (list: string): string => [...`list=${list}`].slice(0, TOKEN_MAX_CHARS).join('');

export const isOnList = (contact: Pick<Contact, 'metadata'>, list: string): boolean =>
  listsOf(contact).slice(0, LISTS_MAX).includes(list);

/** `metadata.list`, and what `metadata.lists` has. */
function listsOf({ metadata }: Pick<Contact, 'metadata'>): readonly string[] {
  const { list, lists } = JSON.parse(metadata) as { readonly list?: unknown; readonly lists?: unknown };
  return [list, ...(Array.isArray(lists) ? (lists as unknown[]) : [])].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
}

/** The entry that changes the index from `before` to `after`; none if they are equal. */
export function searchEntries(
  of: { readonly type: SearchType; readonly recordId: string; readonly version: number },
  before: readonly string[],
  after: readonly string[],
): readonly SearchEntry[] {
  const [had, has] = [new Set(before), new Set(after)];
  const add = after.filter((token) => !had.has(token));
  const remove = before.filter((token) => !has.has(token));
  return add.length === 0 && remove.length === 0 ? [] : [{ kind: 'search', ...of, add, remove }];
}
