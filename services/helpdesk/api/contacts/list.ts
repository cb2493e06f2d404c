// Lists of contacts, newest first, for older paths and v1 alike. Guarantees: an address is found by its id, a list by its token:
// no scan.
import type { Contact } from '#lib/helpdesk/domain/contacts/contact.ts';
import { contactIdOf } from '#lib/helpdesk/domain/contacts/contact-id.ts';
import { contactTokens, isOnList, listToken } from '#lib/helpdesk/domain/search/search-tokens.ts';
import { matchesQuery, queryOf } from '#lib/helpdesk/domain/search/tokens.ts';
import { type Page, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { searchRecords } from '../search-records.ts';

export interface ContactQuery {
  readonly search?: string | undefined;
  readonly email?: string | undefined;
  /** Name of a list of contacts. */
  readonly list?: string | undefined;
}

export interface ContactPage {
  readonly contacts: readonly Contact[];
  readonly total: number;
  readonly isCapped: boolean;
}

type Ports = Pick<HelpdeskApiPorts, 'stores'>;

export async function listContacts(
  workspaceId: string,
  query: ContactQuery,
  page: Page,
  ports: Ports,
): Promise<ContactPage> {
  if (query.email !== undefined) return await contactOf(workspaceId, query.email, query, page, ports);
  if (query.list !== undefined || query.search !== undefined)
    return await findContacts(workspaceId, query, page, ports);
  const { lists, contacts } = ports.stores;
  const { ids, total } = await lists.contacts(workspaceId, page);
  const stored = await contacts.readMany(workspaceId, ids);
  return { contacts: stored.map(({ record }) => record), total, isCapped: total >= TOTAL_MAX };
}

async function contactOf(
  workspaceId: string,
  email: string,
  { search }: ContactQuery,
  { limit, offset }: Page,
  { stores }: Ports,
): Promise<ContactPage> {
  const stored = await stores.contacts.read(workspaceId, contactIdOf(workspaceId, email));
  const all = stored === null ? [] : [stored.record];
  const matches = all.filter(
    (contact) => search === undefined || matchesQuery(contactTokens(contact), queryOf(search)),
  );
  return { contacts: matches.slice(offset, offset + limit), total: matches.length, isCapped: false };
}

async function findContacts(
  workspaceId: string,
  { search, list }: ContactQuery,
  page: Page,
  { stores }: Ports,
): Promise<ContactPage> {
  const words = search === undefined ? [] : queryOf(search);
  const onList = list === undefined ? [] : [{ text: listToken(list), isPrefix: false }];
  // A search text without any word finds nothing, on every list.
  const isNothing = search !== undefined && words.length === 0;
  const isOn = (contact: Contact) => (list === undefined || isOnList(contact, list) ? contact : null);
  const { records, total, isCapped } = await searchRecords<Contact>(
    { workspaceId, type: 'contact', query: isNothing ? [] : [...onList, ...words], page },
    {
      index: stores.search,
      store: stores.contacts,
      tokensOf: contactTokens,
      listed: async (some) => (await stores.lists.contacts(workspaceId, { ...some, countTo: 0 })).ids,
      inOrder: newestFirst,
      isById: false,
      shown: isOn,
    },
  );
  return { contacts: records, total, isCapped };
}

const newestFirst = (a: Contact, b: Contact): number =>
  b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);
