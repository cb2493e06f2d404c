// Goal: a mail of a customer becomes a ticket, an agent's reply reaches the customer's mailbox, and the answer to it joins the
// ticket: the functions as they run in AWS, over DynamoDB, SQS, S3 and SES as servers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { systemClock, systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import { createMerchantStore } from '../../lib/adapters/dynamodb/events/merchants.ts';
import { createHelpdeskStores } from '../../lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { createObjectStore } from '../../lib/adapters/s3/object-store.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createMessageSender } from '../../lib/adapters/sqs/message-sender.ts';
import { ACCOUNT_CONFIG_DEFAULT } from '../../lib/helpdesk/domain/account/config.ts';
import { supportAddress } from '../../lib/helpdesk/domain/mail/address.ts';
import { changedTicket } from '../../lib/helpdesk/domain/tickets/change.ts';
import type { Ticket } from '../../lib/helpdesk/domain/tickets/ticket.ts';
import { change } from '../../lib/helpdesk/work/commit.ts';
import type { DrainPorts } from '../../lib/helpdesk/work/drain.ts';
import { createHandler as createMailEvents } from '../../services/helpdesk/mail-events/handler.ts';
import { createHandler as createMailIn } from '../../services/helpdesk/mail-in/handler.ts';
import { createHandler as createMailOut } from '../../services/helpdesk/mail-out/handler.ts';
import { Mailbox } from '../../services/local/mail/mailbox.ts';
import { createMailRoutes } from '../../services/local/mail/routes.ts';
import { type RunningSandbox, startSandbox } from '../../services/local/sandbox/server.ts';
import { type EmulatedHelpdesk, openHelpdeskTables } from '../conformance/helpdesk/emulated-tables.ts';
import { EMULATOR_ENV } from '../conformance/stores/config-table.ts';
import { untilActive } from '../conformance/stores/emulated-table.ts';
import { openSqs, type SqsEndpoint } from '../support/emulators.ts';
import { openS3, type S3Server } from '../support/s3-server.ts';

const DOMAIN = 'mail.example.com';
const WORKSPACE = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
const BUCKET = 'helpdesk-mails';
const QUEUES = ['deliveries', 'runs', 'mails', 'tasks', 'inbound', 'events'] as const;
type Queue = (typeof QUEUES)[number];

let tables: EmulatedHelpdesk;
let sqs: SqsEndpoint;
let s3: S3Server;
let sandbox: RunningSandbox;
let folder = '';
let client: SQSClient;
const urls = {} as Record<Queue, string>;
let env: Record<string, string> = {};
/** Of the SDK: put back before each test, because each test takes them away. */
const sdk: Record<string, string> = { ...EMULATOR_ENV };
const setSdk = (): void => {
  for (const [name, value] of Object.entries(sdk)) vi.stubEnv(name, value);
};
beforeEach(setSdk);

beforeAll(async () => {
  setSdk();
  [tables, sqs, s3] = await Promise.all([openHelpdeskTables(), openSqs(), openS3(BUCKET)]);
  folder = await mkdtemp(join(tmpdir(), 'mail-'));
  await makeTable('config');
  const dynamodb = await tables.db.config.endpoint?.();
  sdk.AWS_ENDPOINT_URL_DYNAMODB = `http://${dynamodb?.hostname}:${dynamodb?.port}`;
  sdk.AWS_ENDPOINT_URL_SQS = sqs.endpoint;
  sdk.AWS_ENDPOINT_URL_S3 = s3.url;
  setSdk();
  client = createSqsClient();
  for (const queue of QUEUES)
    urls[queue] = (await client.send(new CreateQueueCommand({ QueueName: queue }))).QueueUrl ?? '';
  sandbox = await openSandbox();
  sdk.AWS_ENDPOINT_URL_SESV2 = sandbox.url;
  setSdk();
  env = {
    HELPDESK_TABLE: tables.table,
    HELPDESK_AUDIT_TABLE: tables.auditTable,
    CONFIG_TABLE: 'config',
    HELPDESK_DELIVERIES_QUEUE_URL: urls.deliveries,
    HELPDESK_RUNS_QUEUE_URL: urls.runs,
    HELPDESK_MAILS_QUEUE_URL: urls.mails,
    HELPDESK_TASKS_QUEUE_URL: urls.tasks,
    VAULT_KEY_FILE: join(folder, 'vault.key'),
    HELPDESK_MAIL_DOMAIN: DOMAIN,
    HELPDESK_MAIL_BUCKET: BUCKET,
    HELPDESK_MAIL_CONFIGURATION_SET: 'helpdesk',
    LOG_LEVEL: 'silent',
  };
  await createMerchantStore(tables.db, 'config').putMerchant({
    merchantId: WORKSPACE,
    name: 'Lamp Shop',
    email: 'owner@shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: 0,
    browserIngestion: { enabled: false, origins: [] },
  });
});
afterAll(async () => {
  await sandbox.close();
  await Promise.all([tables.close(), sqs.close(), s3.close(), rm(folder, { recursive: true, force: true })]);
});

async function makeTable(name: string): Promise<void> {
  await tables.db.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  await untilActive(tables.db, name);
}

async function openSandbox(): Promise<RunningSandbox> {
  const post = async (queue: Queue, body: object): Promise<void> => {
    await client.send(new SendMessageCommand({ QueueUrl: urls[queue], MessageBody: JSON.stringify(body) }));
  };
  const routes = createMailRoutes({
    mailbox: new Mailbox(),
    now: systemClock.now,
    publish: (event) => void post('events', event),
    inbound: {
      bucket: BUCKET,
      objects: createObjectStore(BUCKET),
      notify: (notification) => post('inbound', notification),
    },
  });
  return await startSandbox({ beside: routes });
}

/** What the queue has goes to the function, as Lambda would bring it. */
async function pump(queue: Queue, handler: (event: unknown) => Promise<unknown>): Promise<number> {
  const { Messages: messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: urls[queue], MaxNumberOfMessages: 10, VisibilityTimeout: 600 }),
  );
  if (messages.length === 0) return 0;
  const Records = messages.map(({ MessageId, Body }) => ({
    messageId: MessageId,
    body: Body,
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0' },
  }));
  expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
  return messages.length;
}

const stores = () =>
  createHelpdeskStores(tables.db, tables, systemClock.now, (found) => {
    throw found;
  });

async function reply(ticketId: string, body: string): Promise<void> {
  const sender = (queue: Queue) => createMessageSender<never>(createSqsClient(), urls[queue]);
  const ports: DrainPorts = {
    stores: stores(),
    deliveries: sender('deliveries'),
    runs: sender('runs'),
    mails: sender('mails'),
    tasks: sender('tasks'),
    clock: systemClock,
    random: systemRandom,
    report: (_, error) => {
      throw error;
    },
  };
  const atMs = systemClock.now();
  const context = {
    atMs,
    newId: () => systemRandom.uuidv7(atMs),
    by: { workspaceId: WORKSPACE, system: 'test' },
    config: ACCOUNT_CONFIG_DEFAULT,
    mailDomain: DOMAIN,
  };
  const author = { type: 'agent', id: 'user:a', name: 'Ann' } as const;
  await change<Ticket, null>(
    ports.stores.tickets,
    { workspaceId: WORKSPACE, id: ticketId },
    (stored) => {
      const write =
        stored === null
          ? null
          : changedTicket(stored, [{ kind: 'write', body, isInternal: false, author }], context);
      return write === null ? { result: null } : { ...write, result: null };
    },
    ports,
  );
}

const sendIn = async (mail: object) => {
  const answer = await fetch(`${sandbox.url}/mail/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(mail),
  });
  expect(answer.status).toBe(202);
};

interface Mailed {
  readonly mails: readonly {
    readonly reply_to: string;
    readonly subject: string;
    readonly text: string;
    readonly from: string;
  }[];
}

it('a conversation goes there and back', async () => {
  const [mailIn, mailOut, mailEvents] = await Promise.all([
    createMailIn(env),
    createMailOut(env),
    createMailEvents(env),
  ]);
  const customer = 'Jane Doe <jane@customer.example>';
  await sendIn({
    from: customer,
    to: supportAddress(WORKSPACE, DOMAIN),
    subject: 'Broken lamp',
    text: 'It is dark.',
  });
  expect(await pump('inbound', mailIn)).toBe(1);
  const { ids } = await stores().lists.tickets(WORKSPACE, ['NEW'], { limit: 10, offset: 0 });
  const [ticketId = ''] = ids;
  expect(ids).toHaveLength(1);

  await reply(ticketId, 'A new lamp is on its way.');
  expect(await pump('mails', mailOut)).toBe(1);
  const { mails } = (await (await fetch(`${sandbox.url}/mail/messages`)).json()) as Mailed;
  expect(mails).toMatchObject([
    { subject: 'Re: Broken lamp [TKT-000001]', text: 'A new lamp is on its way.\n' },
  ]);
  expect(mails[0]?.from).toContain('Lamp Shop');
  expect(await pump('events', mailEvents)).toBe(2);

  const text = `Thank you!\n\nOn Fri, Nov 20, 2026 at 9:41 AM Lamp Shop <s@${DOMAIN}> wrote:\n\n> A new lamp is on its way.`;
  const [, replyTo = mails[0]?.reply_to] = /<([^<>]+)>/.exec(mails[0]?.reply_to ?? '') ?? [];
  await sendIn({ from: customer, to: replyTo, subject: 'Re: Broken lamp', text, dmarc: 'none' });
  expect(await pump('inbound', mailIn)).toBe(1);

  const { messages } = await stores().messages.listMessages(WORKSPACE, ticketId, { limit: 10, offset: 0 });
  expect(messages.map(({ direction, body }) => [direction, body])).toEqual([
    ['inbound', 'It is dark.'],
    ['outbound', 'A new lamp is on its way.'],
    ['inbound', 'Thank you!'],
  ]);
  const ticket = await stores().tickets.read(WORKSPACE, ticketId);
  expect(ticket?.record).toMatchObject({ state: 'OPEN', messageCount: 3 });
  const [, outbound] = messages;
  const mail = await stores().mails.read(WORKSPACE, outbound?.id ?? '');
  expect(mail?.record).toMatchObject({ status: 'sent', attempts: 1 });
});

it.each(['HELPDESK_MAIL_DOMAIN', 'HELPDESK_MAIL_BUCKET'])(
  'mail-in does not start without %s',
  async (name) => {
    const { [name]: _none, ...others } = env;
    await expect(createMailIn(others)).rejects.toThrow(name);
    await expect(createMailIn({ ...env, [name]: '' })).rejects.toThrow(name);
  },
);
