// Many tickets in the helpdesk's table as its API leaves them, written in batches: each with its message, what it is found
// under, its place in the lists and its contact's; no more than one in ten is still open. For benchmarks and the cost model.
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createHelpdeskStores } from '../../lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { contactIdOf } from '../../lib/helpdesk/domain/contacts/contact-id.ts';
import { ticketTokens } from '../../lib/helpdesk/domain/search/search-tokens.ts';
import type { Ticket } from '../../lib/helpdesk/domain/tickets/ticket.ts';
import { ticketCodeOf } from '../../lib/helpdesk/domain/tickets/ticket.ts';
import { createSeededRandom } from '../support/memory/random.ts';

type Item = Record<string, unknown>;

export interface PlantedTickets {
  readonly table: string;
  readonly workspaceId: string;
  readonly count: number;
  /** Of the first; one follows each second. */
  readonly startMs: number;
}

const PER_BATCH = 25;
const BATCHES_AT_ONCE = 8;
const CUSTOMERS = 2_000;

/** The ids, oldest first. */
export async function plantTickets(
  db: DynamoDBDocumentClient,
  { table, workspaceId, count, startMs }: PlantedTickets,
): Promise<readonly string[]> {
  const random = createSeededRandom('planted');
  const items: Item[] = [];
  const stores = createHelpdeskStores(
    capturing(items),
    { table, auditTable: 'none' },
    () => startMs,
    () => {},
  );
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const atMs = startMs + n * 1_000;
    const ticket = ticketAt(n, workspaceId, random.uuidv7(atMs), atMs);
    ids.push(ticket.id);
    await stores.tickets.put({ record: ticket, version: 1, outbox: [], dueAtMs: null }, null);
    await stores.messages.putMessage({
      id: random.uuidv7(atMs),
      workspaceId,
      ticketId: ticket.id,
      body: BODY,
      isInternal: false,
      direction: 'inbound',
      author: { type: 'customer', id: ticket.contactId, name: ticket.customerName },
      createdAtMs: atMs,
    });
    const tokens = { type: 'ticket', recordId: ticket.id, version: 1, remove: [] } as const;
    await stores.search.change(workspaceId, { ...tokens, add: ticketTokens(ticket) });
    await stores.contactTickets.link(workspaceId, ticket.contactId ?? '', ticket.id);
  }
  await writeAll(db, table, items);
  return ids;
}

export const BODY =
  'It is the third day and the tracking has not moved. Could you look where my parcel is, please?';

export const subjectOf = (n: number): string => `Where is my parcel? order${n}`;

function ticketAt(n: number, workspaceId: string, id: string, atMs: number): Ticket {
  const isOpen = n % 10 === 0;
  const customerEmail = `customer${n % CUSTOMERS}@example.com`;
  return {
    id,
    workspaceId,
    code: ticketCodeOf('TKT', n + 1_000_000),
    subject: subjectOf(n),
    customerEmail,
    customerName: 'Jane Doe',
    contactId: contactIdOf(workspaceId, customerEmail),
    priority: 'normal',
    channel: 'api',
    state: isOpen ? 'NEW' : 'DONE',
    snoozedUntilMs: null,
    escalatedAtMs: null,
    waitingSinceMs: isOpen ? atMs : null,
    closedAtMs: isOpen ? null : atMs,
    closeReason: null,
    messageCount: 1,
    lastMessageAtMs: atMs,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

/** Takes what a store would write; attributes that an update sets follow its key. */
function capturing(items: Item[]): DynamoDBDocumentClient {
  const send = async ({ input }: { readonly input: Readonly<Record<string, unknown>> }): Promise<object> => {
    const { Item: item, Key: key, UpdateExpression: expression = '' } = input;
    const values = (input.ExpressionAttributeValues ?? {}) as Item;
    const set = [...String(expression).matchAll(/(\w+) = (:\w+)/g)];
    const changed = Object.fromEntries(set.map(([, name = '', value = '']) => [name, values[value]]));
    items.push((item as Item | undefined) ?? { ...(key as Item), ...changed });
    return {};
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

async function writeAll(db: DynamoDBDocumentClient, table: string, items: readonly Item[]): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < items.length) {
      const some = items.slice(next, next + PER_BATCH);
      next += PER_BATCH;
      const RequestItems = { [table]: some.map((Item) => ({ PutRequest: { Item } })) };
      const { UnprocessedItems = {} } = await db.send(new BatchWriteCommand({ RequestItems }));
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('the table did not take a batch');
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, writer));
}
