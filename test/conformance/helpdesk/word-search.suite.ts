// What lists by words must answer in a workspace of thousands: the newest first and none missing, however common a word is.
// Method: lists of tickets and of contacts beside a reference that knows every record and compares all of them, over words of
// every frequency and queries drawn at random. The reference cuts words by itself.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#lib/helpdesk/domain/contacts/contact.ts';
import { contactTokens, ticketTokens } from '#lib/helpdesk/domain/search/search-tokens.ts';
import { TICKET_STATES, type Ticket, type TicketState } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import { listContacts } from '#services/helpdesk/api/contacts/list.ts';
import { listTickets } from '#services/helpdesk/api/tickets/list.ts';
import { contactOf, newWorkspace, stored, ticketOf } from '#test/support/helpdesk-records.ts';
import { createSeededRandom } from '../../support/memory/random.ts';

interface FoundRecords {
  readonly tickets: readonly Ticket[];
  readonly contacts: readonly Contact[];
}

/** Puts records and the words under which they are found, as the outbox does. */
type FillFound = (workspaceId: string, records: FoundRecords) => Promise<void>;

export const fillFound =
  (workspaceId: string, { tickets, contacts }: FoundRecords) =>
  async (stores: HelpdeskStores): Promise<void> => {
    const entry = { version: 1, remove: [] } as const;
    for (const ticket of tickets) {
      await stores.tickets.put(stored(ticket), null);
      const found = { ...entry, type: 'ticket', recordId: ticket.id, add: ticketTokens(ticket) } as const;
      await stores.search.change(workspaceId, found);
    }
    for (const contact of contacts) {
      await stores.contacts.put(stored(contact), null);
      const found = { ...entry, type: 'contact', recordId: contact.id, add: contactTokens(contact) } as const;
      await stores.search.change(workspaceId, found);
    }
  };

interface Asked {
  readonly offset?: number;
  readonly limit?: number;
  readonly states?: readonly TicketState[];
  readonly waiting?: boolean;
}

const NEEDLES = 10;
const NAMES = ['Anna', 'Annex', 'Ann', 'Carl', 'Carla', 'Dora'];
const STATES: readonly TicketState[] = ['NEW', 'DONE', 'DONE', 'OPEN', 'WAITING'];
const clock = { now: () => Date.UTC(2026, 11, 1), elapsedMs: () => 0 };

export function wordSearchConformance(
  name: string,
  count: number,
  { open, fill }: { readonly open: () => Promise<HelpdeskStores>; readonly fill: FillFound },
): void {
  describe(`lists by words of ${count} records on ${name}`, () => {
    const ws = newWorkspace();
    const tickets = Array.from({ length: count }, (_, n) => ticketAt(ws, n, count));
    const contacts = Array.from({ length: count }, (_, n) => contactAt(ws, n));
    let stores: HelpdeskStores;
    beforeAll(async () => {
      stores = await open();
      await fill(ws, { tickets, contacts });
    }, 300_000);
    const ask = async (
      search: string,
      { offset = 0, limit = 20, states = TICKET_STATES, waiting = false }: Asked = {},
    ) => {
      const order = waiting ? 'longest_waiting' : 'newest';
      const found = await listTickets(ws, { states, search, order }, { offset, limit }, { stores, clock });
      return { ...found, ids: found.tickets.map(({ id }) => id) };
    };
    const wanted = (search: string, states: readonly TicketState[] = TICKET_STATES): readonly string[] =>
      tickets
        .filter((ticket) => states.includes(ticket.state) && has(textOf(ticket), search))
        .map(({ id }) => id)
        .toReversed();

    it.each(['needle', 'example needle', 'load needle', 'cust needle', 'needle ex', 'order needle cust'])(
      'finds all of a rare word with words that all have: %s',
      async (search) => {
        expect(wanted(search)).toHaveLength(search.startsWith('cust') ? 0 : NEEDLES);
        const found = await ask(search, { limit: 100 });
        expect([found.ids, found.total, found.isCapped]).toEqual([
          wanted(search),
          wanted(search).length,
          false,
        ]);
      },
    );

    it.each(['login', 'example login', 'broken example', 'login exa'])(
      'counts all of a word of some hundreds or says that it does not: %s',
      async (search) => {
        const all = wanted(search);
        const found = await ask(search);
        expect([found.ids, found.total, found.isCapped]).toEqual([
          all.slice(0, 20),
          Math.min(all.length, 1_000),
          all.length > 1_000,
        ]);
      },
    );

    it.each(['c', 'cu', 'cust', 'cust1', 'e', 'an', 'order c', 'anna c', 'example cust'])(
      'shows the newest of a beginning that thousands share: %s',
      async (search) => {
        for (const offset of [0, 20, 100])
          expect([offset, (await ask(search, { offset })).ids]).toEqual([
            offset,
            wanted(search).slice(offset, offset + 20),
          ]);
      },
    );

    it('misses nothing of the newest in a state, and of those who wait the longest', async () => {
      for (const states of [['ESCALATED'], ['WAITING', 'OPEN']] as const)
        expect((await ask('cust', { states: [...states] })).ids).toEqual(wanted('cust', states).slice(0, 20));
      const waiting = wanted('cust', ['NEW', 'OPEN', 'ESCALATED']).toReversed();
      expect((await ask('cust', { waiting: true })).ids).toEqual(waiting.slice(0, 20));
    });

    it('agrees with the reference on queries drawn at random', async () => {
      const { below } = createSeededRandom('word search');
      for (let round = 0; round < (count > 10_000 ? 60 : 15); round++) {
        const { customerEmail, customerName, subject } = tickets[below(count)] ?? ticketAt(ws, 0, count);
        const words = wordsOf(`${customerEmail} ${customerName} ${subject}`);
        const some = Array.from({ length: 1 + below(3) }, () => words[below(words.length)] ?? '');
        const last = some.pop() ?? '';
        const search = [...some, last.slice(0, 1 + below(last.length))].join(' ');
        const offset = below(3) * 20;
        const states = [TICKET_STATES, ['DONE'], ['NEW', 'ESCALATED']][below(3)] as TicketState[];
        const all = wanted(search, states);
        const found = await ask(search, { offset, states });
        expect([search, offset, states, found.ids]).toEqual([
          search,
          offset,
          states,
          all.slice(offset, offset + 20),
        ]);
        if (!found.isCapped) expect([search, found.total]).toEqual([search, all.length]);
      }
    });

    it.each(['example', 'ann', 'c', 'anna example'])(
      'shows the newest contacts of many: %s',
      async (search) => {
        const all = contacts
          .filter(({ email, firstname }) => has(`${email} ${firstname}`, search))
          .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
        const { contacts: found } = await listContacts(ws, { search }, { offset: 20, limit: 20 }, { stores });
        expect(found.map(({ id }) => id)).toEqual(all.slice(20, 40).map(({ id }) => id));
      },
    );
  });
}

function ticketAt(ws: string, n: number, count: number): Ticket {
  const isNeedle = n % (count / NEEDLES) === 3;
  const words = [n % 9 === 0 ? 'login' : '', n % 9 === 1 ? 'broken' : '', isNeedle ? 'needle' : ''];
  const state = n % 50 === 0 ? 'ESCALATED' : (STATES[n % STATES.length] ?? 'NEW');
  return ticketOf(ws, 0, {
    id: idOf(n),
    code: `TKT-${String(n).padStart(6, '0')}`,
    subject: `Order ${words.join(' ')}`,
    // Of those that are born later the token comes earlier.
    customerEmail: `cust${9_999_999 - n}@load.example`,
    customerName: NAMES[n % NAMES.length] ?? '',
    state,
    waitingSinceMs: ['NEW', 'OPEN', 'ESCALATED'].includes(state) ? n : null,
    createdAtMs: n,
  });
}

/** The id of a contact says nothing of its age. */
const contactAt = (ws: string, n: number): Contact => ({
  ...contactOf(ws, idOf((n * 7_919) % 1_000_003), n),
  email: `c${n}@shop.example`,
  firstname: NAMES[n % NAMES.length] ?? '',
});

const idOf = (n: number): string => `019a${String(n).padStart(8, '0')}-7000-8000-000000000000`;
const textOf = (ticket: Ticket): string =>
  `${ticket.code} ${ticket.customerEmail} ${ticket.customerName} ${ticket.subject}`;

/** Each word, each address as a whole, and what follows its sign. */
function wordsOf(text: string): readonly string[] {
  const parts = text.toLowerCase().split(' ');
  const addresses = parts.filter((part) => part.includes('@'));
  const words = parts.flatMap((part) => part.split(/[^a-z0-9]/));
  return [...words, ...addresses, ...addresses.map((part) => part.replace(/^.*@/, ''))].filter(
    (word) => word !== '',
  );
}

function has(text: string, search: string): boolean {
  const words = wordsOf(text);
  const asked = search.split(' ').flatMap((part) => (part.includes('@') ? [part] : part.split('.')));
  const last = asked.pop() ?? '';
  return asked.every((word) => words.includes(word)) && words.some((word) => word.startsWith(last));
}
