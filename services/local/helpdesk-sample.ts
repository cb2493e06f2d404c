// What the helpdesk of a new data folder starts with, made through its own API: contacts, articles, tickets in every state, and
// a webhook to the sandbox. Guarantees: made once; a start that died in the middle is taken up where it was, because each
// request carries an idempotency key.
import * as z from 'zod';
import type { DataDir } from './data-dir.ts';
import { LocalProblem } from './problem.ts';

const sampleSchema = z.object({
  tickets: z.array(z.string()),
  contacts: z.array(z.string()),
  articles: z.array(z.string()),
  webhook: z.string(),
  /** Lists what the webhook received. */
  webhook_receiver_url: z.string(),
});
export type HelpdeskSample = z.output<typeof sampleSchema>;

export const NO_SAMPLE: HelpdeskSample = {
  tickets: [],
  contacts: [],
  articles: [],
  webhook: '',
  webhook_receiver_url: '',
};

const FILE = 'helpdesk-sample.json';

type Target = Readonly<Record<'helpdesk_url' | 'helpdesk_api_key' | 'sandbox_url', string>>;

export async function plantHelpdesk(dataDir: DataDir, target: Target): Promise<HelpdeskSample> {
  const receiver = `${target.sandbox_url}/webhooks`;
  const known = sampleSchema.safeParse(dataDir.readJson(FILE));
  // The sandbox may have moved to another port.
  if (known.success) return { ...known.data, webhook_receiver_url: receiver };
  const send = sender(target);
  const webhook = await send('POST', '/api/webhooks', {
    url: `${receiver}/example`,
    description: 'The sandbox of this machine',
  });
  const contacts = await inTurn(CONTACTS, async (contact) =>
    idIn(await send('POST', '/api/contacts', contact), 'contact'),
  );
  const articles = await inTurn(ARTICLES, async (article) =>
    idIn(await send('POST', '/api/knowledge/ingest', article), 'article'),
  );
  const tickets = await inTurn(TICKETS, async ({ follow, ...ticket }) => {
    const { ticket_id: id } = ticketSchema.parse(await send('POST', '/api/tickets', ticket));
    for (const [operation, body] of follow) await send('POST', `/api/tickets/${id}/${operation}`, body());
    return id;
  });
  const sample = {
    tickets,
    contacts,
    articles,
    webhook: idIn(webhook, 'webhook'),
    webhook_receiver_url: receiver,
  };
  dataDir.writeJson(FILE, sample satisfies HelpdeskSample);
  return sample;
}

const ticketSchema = z.object({ ticket_id: z.string() });

function idIn(answer: unknown, name: string): string {
  return z
    .record(z.string(), z.unknown())
    .transform((all) => recordSchema.parse(all[name]).id)
    .parse(answer);
}

const recordSchema = z.object({ id: z.string() });

async function inTurn<One>(all: readonly One[], make: (one: One) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (const one of all) ids.push(await make(one));
  return ids;
}

type Send = (method: string, path: string, body: unknown) => Promise<unknown>;

function sender({ helpdesk_url, helpdesk_api_key }: Target): Send {
  let sent = 0;
  return async (method, path, body) => {
    sent += 1;
    const answer = await fetch(helpdesk_url + path, {
      method,
      headers: {
        'x-api-key': helpdesk_api_key,
        'content-type': 'application/json',
        'idempotency-key': `sample-${sent}`,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok)
      throw new LocalProblem(
        `The helpdesk refused its sample: ${path} ${answer.status} ${await answer.text()}`,
      );
    return await answer.json();
  };
}

const CONTACTS = [
  { email: 'jane.doe@example.com', firstname: 'Jane', lastname: 'Doe', company: 'Doe & Daughters' },
  { email: 'kenji@example.jp', name: '田中 賢治', phone: '+81 3 1234 5678' },
  { email: 'zoe@example.fr', name: 'Zoë Lefèvre', metadata: { plan: 'pro', lists: ['beta'] } },
];

const ARTICLES = [
  {
    title: 'How to return an order',
    content:
      'You can return an order within 30 days. Open your order, choose "Return", print the label and hand the parcel in. The refund arrives within five working days of its arrival.',
    tags: ['returns', 'refund'],
    status: 'published',
  },
  {
    title: 'Where is my parcel?',
    content:
      'Parcels take two to four working days. The tracking link is in the e-mail that says your order was shipped. Nothing new for three days? Write to us and name the order.',
    tags: ['shipping'],
    status: 'published',
  },
  { title: 'Holiday opening hours', content: 'Between the years we answer within two days.', tags: [] },
];

const DAY_MS = 86_400_000;
type Follow = readonly [operation: string, body: () => unknown];

const TICKETS: readonly {
  readonly customer_email: string;
  readonly customer_name?: string;
  readonly subject: string;
  readonly body: string;
  readonly priority?: string;
  readonly follow: readonly Follow[];
}[] = [
  {
    customer_email: 'jane.doe@example.com',
    customer_name: 'Jane Doe',
    subject: 'My parcel has not arrived',
    body: 'Hello, I ordered a week ago and the tracking has not moved for days. Where is my parcel?',
    priority: 'high',
    follow: [],
  },
  {
    customer_email: 'kenji@example.jp',
    customer_name: '田中 賢治',
    subject: '返品について',
    body: '注文した商品を返品したいです。どうすればよいですか。',
    follow: [['reply', () => ({ body: 'Is the label in your parcel? If not, we send you one.' })]],
  },
  {
    customer_email: 'zoe@example.fr',
    customer_name: 'Zoë Lefèvre',
    subject: 'Refund for a damaged cup',
    body: 'The cup came broken. I would like my money back, please.',
    follow: [
      ['reply', () => ({ body: 'Photo is with the carrier, waiting for their answer.', public: false })],
      ['snooze', () => ({ snoozed_until: new Date(Date.now() + DAY_MS).toISOString() })],
    ],
  },
  {
    customer_email: 'jane.doe@example.com',
    customer_name: 'Jane Doe',
    subject: 'Can I change my address?',
    body: 'I have moved. Can you change the address of my account?',
    priority: 'low',
    follow: [
      ['reply', () => ({ body: 'Done: your new address is in your account.' })],
      ['close', () => ({ reason: 'solved' })],
    ],
  },
  {
    customer_email: 'offers@example.net',
    subject: 'Best prices for backlinks!!!',
    body: 'Dear webmaster, we have an offer that you cannot refuse.',
    follow: [['reject', () => ({ reason: 'spam' })]],
  },
];
