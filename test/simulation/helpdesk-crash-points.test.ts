// Goal: whatever a process of the helpdesk dies of, and wherever, nothing is lost and nothing doubled; and a checker that finds
// it out where the stores are broken on purpose.
import { describe, expect, it } from 'vitest';
import type { Contact } from '../../lib/helpdesk/domain/contacts/contact.ts';
import type { Ticket } from '../../lib/helpdesk/domain/tickets/ticket.ts';
import type { HelpdeskStores, RecordStore } from '../../lib/helpdesk/ports/stores.ts';
import { type Mutant, type Scenario, tryEveryPoint } from './helpdesk-crash-points.ts';
import { close, createTicket, note, receive, reply, snooze, upsertContact } from './helpdesk-world.ts';

const ACTS = { reply, note, receive, close, snooze } as const;
const rename = upsertContact({ name: 'Augusta King', company: 'Analytical' });

const SCENARIOS: readonly Scenario[] = [
  { name: 'create', before: [], act: createTicket },
  ...Object.entries(ACTS).map(([name, act]): Scenario => ({ name, before: [createTicket], act })),
  { name: 'reply to a closed ticket', before: [createTicket, close], act: reply },
  { name: 'contact', before: [], act: upsertContact({ name: 'Ada' }) },
  { name: 'rename', before: [createTicket], act: rename },
  ...Object.entries(ACTS).map(
    ([name, act]): Scenario => ({
      name: `${name} on what a dead process left`,
      before: [],
      leftBy: { act: createTicket, on: 'tickets' },
      act,
    }),
  ),
  { name: 'sweep after a death', before: [], leftBy: { act: createTicket, on: 'tickets' }, act: 'sweep' },
  { name: 'sweep of a snooze', before: [createTicket, snooze], act: 'sweep' },
  {
    name: 'sweep of a snooze whose process died',
    before: [createTicket],
    leftBy: { act: snooze, on: 'tickets' },
    act: 'sweep',
  },
  ...[true, false].flatMap((isDying) => {
    const rest = isDying ? 'while another one dies' : 'while another one acts';
    const meets = (
      [name, act]: readonly [string, Scenario['act']],
      before: Scenario['before'],
      [other, on]: readonly [NonNullable<Scenario['meanwhile']>['act'], 'tickets' | 'contacts'],
    ): Scenario => ({ name, before, act, meanwhile: { act: other, on, isDying } });
    return [
      meets([`receive ${rest}`, receive], [createTicket], [reply, 'tickets']),
      meets([`create ${rest}`, createTicket], [], [receive, 'tickets']),
      meets([`contact ${rest}`, upsertContact({ name: 'Ada' })], [], [rename, 'contacts']),
      meets([`ticket ${rest} on its contact`, createTicket], [], [rename, 'contacts']),
      meets([`sweep ${rest}`, 'sweep'], [createTicket, snooze], [receive, 'tickets']),
    ];
  }),
];

describe('every crash point', () => {
  it.each(SCENARIOS)('of $name loses nothing and doubles nothing', async (scenario) => {
    const { points, findings } = await tryEveryPoint(scenario);
    expect(findings.slice(0, 5)).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(18);
  });
});

/** A change of one store. */
const over =
  <K extends keyof HelpdeskStores>(
    name: K,
    change: (store: HelpdeskStores[K]) => Partial<HelpdeskStores[K]>,
  ): Mutant =>
  (stores) => ({ ...stores, [name]: { ...stores[name], ...change(stores[name]) } });

/** A change of how tickets and contacts are stored. */
const records =
  (change: <R>(store: RecordStore<R>) => Partial<RecordStore<R>>): Mutant =>
  (stores) =>
    over('contacts', change<Contact>)(over('tickets', change<Ticket>)(stores));

/** Puts in the place of whatever is there, whichever version was expected. */
const putOver = <R>(store: RecordStore<R>): Pick<RecordStore<R>, 'put'> => ({
  put: async (stored) => {
    const { workspaceId, id } = stored.record as { workspaceId: string; id: string };
    const found = await store.read(workspaceId, id);
    return await store.put(stored, found?.version ?? null);
  },
});

/** Where each is caught first. */
const MUTANTS: Readonly<Record<string, readonly [scenario: string, Mutant]>> = {
  'settle empties whatever is there': [
    'receive while another one dies',
    records((store) => ({
      settle: async (key, _version, dueAtMs) => {
        const found = await store.read(key.workspaceId, key.id);
        return found !== null && (await store.settle(key, found.version, dueAtMs));
      },
    })),
  ],
  'a commit is not due': [
    'create',
    records((store) => ({
      put: (stored, expected) => store.put({ ...stored, dueAtMs: null }, expected),
    })),
  ],
  'settled before anything is carried out': [
    'create',
    records((store) => ({
      put: async (stored, expected) => {
        if (!(await store.put(stored, expected))) return false;
        const { workspaceId, id } = stored.record as { workspaceId: string; id: string };
        return await store.settle({ workspaceId, id }, stored.version, stored.timerAtMs ?? null);
      },
    })),
  ],
  'settled without the timer': [
    'snooze',
    records((store) => ({
      settle: (key, version) => store.settle(key, version, null),
    })),
  ],
  'what others left is not carried out first': [
    'reply on what a dead process left',
    records((store) => ({
      read: async (workspaceId, id) => {
        const found = await store.read(workspaceId, id);
        return found === null ? null : { ...found, outbox: [] };
      },
    })),
  ],
  'a commit does not ask which version it replaces': ['create', records(putOver)],
  'a delivery is put where one is': ['create', over('deliveries', putOver)],
  'a mail is put where one is': ['reply', over('mails', putOver)],
  'a message is written over': [
    'create',
    over('messages', ({ replaceMessage }) => ({ putMessage: replaceMessage })),
  ],
  'a contact does not list its ticket': [
    'create',
    over('contactTickets', () => ({ link: async () => undefined })),
  ],
  'tokens know no version': [
    'ticket while another one dies on its contact',
    over('search', (store) => ({
      change: (workspaceId, entry) => store.change(workspaceId, { ...entry, version: 1e9 }),
    })),
  ],
  'entries of the audit log get new ids': [
    'create',
    over('audit', (store) => ({
      append: (entry) => store.append({ ...entry, id: crypto.randomUUID() }),
    })),
  ],
};

describe('the checker finds', () => {
  it.each(Object.entries(MUTANTS))('that %s', async (_, [name, mutant]) => {
    const scenario = SCENARIOS.find((one) => one.name === name) as Scenario;
    const { findings } = await tryEveryPoint(scenario, mutant);
    expect(findings.length).toBeGreaterThan(0);
  });
});
