// Operators' requests over emulated tables, with a user pool that remembers whom it invited.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { createAuditLog } from '#lib/adapters/dynamodb/core/audit-log.ts';
import type { Item } from '#lib/adapters/dynamodb/core/items/commands.ts';
import { everyItem } from '#lib/adapters/dynamodb/core/items/every-item.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createKeyRotationStore } from '#lib/adapters/dynamodb/core/keys/key-rotation.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { duePlaces } from '#lib/adapters/dynamodb/events/due-places.ts';
import { createRotatedKeys } from '#lib/adapters/vault/rotated-keys.ts';
import { answerOperator } from '#services/operator/admin/answer.ts';
import type { OperatorPorts } from '#services/operator/admin/ports.ts';
import { operatorStores, sealedStoresOf } from '#services/operator/admin/stores.ts';
import { EMULATOR_ENV, openTables } from '#test/conformance/stores/emulated-table.ts';
import { countingWrapper } from './counting-wrapper.ts';
import { createSeededRandom } from './memory/random.ts';

export const OPERATOR_ARN = 'arn:aws:sts::111122223333:assumed-role/Admin/anna';
export const OPERATED_MS = 1_795_000_000_000;

export type OperatorTables = Awaited<ReturnType<typeof openOperatorTables>>;

async function openOperatorTables(keys?: 'any') {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  const { db, nameOf, close } = await openTables(
    ['config', 'analytics', 'events', 'batches', 'helpdesk'],
    keys,
  );
  const table = nameOf('config');
  return {
    db,
    table,
    analytics: nameOf('analytics'),
    events: nameOf('events'),
    batches: nameOf('batches'),
    helpdesk: nameOf('helpdesk'),
    close,
    async items(): Promise<readonly Item[]> {
      const items: Item[] = [];
      const read = (from: object) => db.send(new ScanCommand({ TableName: table, ...from }));
      for await (const item of everyItem(read)) items.push(item);
      return items;
    },
    async keys(): Promise<readonly string[]> {
      return (await this.items()).map(({ pk, sk }) => `${pk} ${sk}`);
    },
  };
}

function portsOver(
  { db, table, analytics, ...tables }: OperatorTables,
  random: OperatorPorts['random'],
): Omit<OperatorPorts, 'people'> {
  return {
    ...operatorStores(db, table, random),
    counters: createCounterStore(db, analytics),
    due: { ...duePlaces(db, tables), counters: createCounterStore(db, analytics) },
    ceilings: {
      serverEventsPerMinute: 1_200_000,
      serverEventsPerDay: 5_000_000,
      browserEventsPerMinute: 12_000,
      replaysPerDay: 1_000_000,
    },
    vault: {
      seal: async (merchant, _context, text) => `${merchant} ${text}`,
      open: async (merchant, _context, sealed) => sealed.slice(merchant.length + 1),
    },
    rotating: {
      keys: createKeyRotationStore(db, table),
      rotated: createRotatedKeys({
        wrapper: countingWrapper(),
        keys: createDataKeyStore(db, table),
        clock: { now: () => OPERATED_MS },
      }),
      sealedStores: sealedStoresOf(db, table, tables.helpdesk),
    },
    secretBytes: () => Uint8Array.from({ length: 32 }, () => Math.floor(random.next() * 256)),
    pause: async () => undefined,
    clock: { now: () => OPERATED_MS },
    random,
    report: () => undefined,
  };
}

/** `keys`: also of items that are none of ours. */
export async function openOperator({ keys }: { readonly keys?: 'any' } = {}) {
  const tables = await openOperatorTables(keys);
  const random = createSeededRandom('operator');
  const operator = ({
    hasPool = true,
    invite = async (email: string) => `sub-${email}`,
    unconfirmed = new Set<string>(),
  } = {}) => {
    const invited: string[] = [];
    const people = new Map([...unconfirmed].map((email) => [email, `sub-${email}`]));
    const ports: OperatorPorts = {
      ...portsOver(tables, random),
      people: hasPool
        ? {
            find: async (email) => {
              const sub = people.get(email);
              return sub === undefined ? null : { sub, isConfirmed: !unconfirmed.has(email) };
            },
            invite: async (email) => {
              const sub = await invite(email);
              invited.push(email);
              people.set(email, sub);
              return sub;
            },
          }
        : null,
    };
    return { ports, invited, ask: askingOf(ports), audit: createAuditLog(tables.db, tables.table) };
  };
  return { tables, operator };
}

const askingOf =
  (ports: OperatorPorts) =>
  async <Body>(
    body: unknown,
    {
      path = 'merchants',
      userArn = OPERATOR_ARN as string | null,
      mustBeNamed = true,
      mayChange = true,
      method = 'POST',
    }: {
      readonly path?: string;
      readonly userArn?: string | null;
      readonly mustBeNamed?: boolean;
      readonly mayChange?: boolean;
      readonly method?: string;
    } = {},
  ) => {
    const event = {
      rawPath: `/operator/v1/${path}`,
      headers: {
        authorization: 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261123/us-east-1/lambda/aws4_request',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      requestContext: { http: { method }, authorizer: userArn === null ? null : { iam: { userArn } } },
    };
    const answer = await answerOperator(event, { mustBeNamed, mayChange }, ports);
    return { status: answer.statusCode, body: JSON.parse(answer.body) as Body };
  };
