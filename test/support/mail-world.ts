// The helpdesk's mail workers over stores in memory and a real HTTP server in the place of SES, and a worker that dies.
import { createHmac } from 'node:crypto';
import { composeMail } from '../../lib/adapters/mail/compose.ts';
import { createMailSender } from '../../lib/adapters/ses/mail-sender.ts';
import type { TenantMac } from '../../lib/core/ports/tenant-mac.ts';
import { ACCOUNT_CONFIG_DEFAULT } from '../../lib/helpdesk/domain/account/config.ts';
import type { OutboundMail } from '../../lib/helpdesk/domain/mail/mail.ts';
import { NO_PATIENCE, PATIENCE } from '../../lib/helpdesk/domain/mail/transition.ts';
import { changedTicket, createTicket } from '../../lib/helpdesk/domain/tickets/change.ts';
import type { Ticket } from '../../lib/helpdesk/domain/tickets/ticket.ts';
import { change } from '../../lib/helpdesk/work/commit.ts';
import type { DrainPorts } from '../../lib/helpdesk/work/drain.ts';
import { mailEventSchema } from '../../services/helpdesk/mail-events/message.ts';
import { createMailEventStage } from '../../services/helpdesk/mail-events/stage.ts';
import type { MailOutPorts } from '../../services/helpdesk/mail-out/ports.ts';
import { createMailOutStage } from '../../services/helpdesk/mail-out/stage.ts';
import { runSweep } from '../../services/helpdesk/sweep/stage.ts';
import { createManualClock } from './memory/clock.ts';
import { memoryHelpdesk } from './memory/helpdesk.ts';
import { createSeededRandom } from './memory/random.ts';
import { openSes, type SesBehaviour } from './ses-server.ts';

export const MAIL_DOMAIN = 'mail.example.com';
export const WORKSPACE = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
export const CUSTOMER = 'jane@customer.example';
const START_MS = Date.UTC(2026, 10, 20, 9);

export const testMacs: TenantMac = {
  mac: async (tenantId, context, text) =>
    createHmac('sha256', `${tenantId} ${context}`).update(text).digest(),
};

/** Thrown by everything a dead worker does. */
export class Dead extends Error {}

async function openGround(seed: string, recognizes: boolean) {
  const clock = createManualClock(START_MS);
  const random = createSeededRandom(seed);
  const stores = memoryHelpdesk();
  const pointers: { workspaceId: string; id: string }[] = [];
  const problems: unknown[] = [];
  const silent = { send: async () => undefined };
  const drainPorts: DrainPorts = {
    stores,
    deliveries: silent,
    runs: silent,
    tasks: silent,
    mails: { send: async (messages) => void pointers.push(...messages.map(({ body }) => body)) },
    clock,
    random,
    report: (problem, error) => void problems.push([problem, error]),
  };
  const ses = await openSes({ now: clock.now, recognizes });
  const outPorts: MailOutPorts = {
    ...drainPorts,
    sender: createMailSender({ endpoint: ses.url, configurationSet: 'helpdesk' }),
    patience: recognizes ? NO_PATIENCE : PATIENCE,
    compose: composeMail,
    macs: testMacs,
    mailDomain: MAIL_DOMAIN,
    workspaceName: async () => 'Lamp Shop',
  };
  return { clock, random, stores, drainPorts, outPorts, ses, pointers, problems };
}

/** `recognizes`: the provider knows a mail again, as a laptop's does. */
export async function openMailWorld(seed = 'mails', { recognizes = false } = {}) {
  const ground = await openGround(seed, recognizes);
  return { ...ground, ...actionsOf(ground) };
}

export type MailWorld = Awaited<ReturnType<typeof openMailWorld>>;

type Ground = Awaited<ReturnType<typeof openGround>>;

function actionsOf(ground: Ground) {
  const { clock, random, stores, drainPorts, outPorts, ses, pointers } = ground;
  const context = () => {
    const atMs = clock.now();
    const by = { workspaceId: WORKSPACE, system: 'test' };
    return {
      atMs,
      newId: () => random.uuidv7(atMs),
      by,
      config: ACCOUNT_CONFIG_DEFAULT,
      mailDomain: MAIL_DOMAIN,
    };
  };
  const contact = { readMail: async (id: string) => (await stores.mails.read(WORKSPACE, id))?.record };
  return {
    ...contact,
    /** A ticket that a customer opened by mail. */
    async open(subject = 'Broken lamp', email: string | null = CUSTOMER): Promise<string> {
      const id = random.uuidv7(clock.now());
      const draft = {
        id,
        workspaceId: WORKSPACE,
        code: 'TKT-000042',
        subject,
        customerEmail: email,
        customerName: 'Jane Doe',
        priority: 'normal',
        channel: 'email',
        body: 'My lamp is broken.',
        mail: { messageId: '<first@customer.example>', originalKey: 'inbound/first' },
      } as const;
      const key = { workspaceId: WORKSPACE, id };
      await change(
        stores.tickets,
        key,
        () => ({ ...createTicket(draft, context()), result: null }),
        drainPorts,
      );
      return id;
    },
    /** An agent's public reply. Answers the id of its message, which is that of its mail. */
    async reply(ticketId: string, body = 'A new lamp is on its way.'): Promise<string> {
      clock.advance(1_000);
      const messageId = random.uuidv7(clock.now());
      const author = { type: 'agent', id: 'user:a', name: 'Ann' } as const;
      const write = { kind: 'write', body, isInternal: false, author, messageId } as const;
      await change<Ticket, null>(
        stores.tickets,
        { workspaceId: WORKSPACE, id: ticketId },
        (stored) => {
          const next = stored === null ? null : changedTicket(stored, [write], context());
          return next === null ? { result: null } : { ...next, result: null };
        },
        drainPorts,
      );
      return messageId;
    },
    /** Works all pointers off; a worker that throws leaves its message to come back. */
    async work(ports: MailOutPorts = outPorts): Promise<void> {
      const stage = createMailOutStage(ports);
      for (const body of pointers.splice(0)) await stage([{ body, receiveCount: 1, sentAtMs: clock.now() }]);
    },
    /** What SES told meanwhile is read. */
    async listen(): Promise<void> {
      const stage = createMailEventStage(outPorts);
      for (const event of ses.takeEvents()) {
        const body = mailEventSchema.parse({ source: 'aws.ses', detail: event });
        await stage([{ body, receiveCount: 1, sentAtMs: clock.now() }]);
      }
    },
    /** The sweep of a minute. */
    async sweep(): Promise<void> {
      await runSweep({ ...drainPorts, quarantine: () => undefined });
    },
    async pass(minutes: number, { hears = true }: { readonly hears?: boolean } = {}): Promise<void> {
      for (let minute = 0; minute < minutes; minute++) {
        clock.advance(60_000);
        if (hears) await this.listen();
        await this.sweep();
        await this.work();
      }
    },
    behave: (...next: SesBehaviour[]) => ses.behave(...next),
    notes: async (ticketId: string) =>
      (await stores.messages.listMessages(WORKSPACE, ticketId, { limit: 100, offset: 0 })).messages
        .filter(({ author }) => author.type === 'system')
        .map(({ body }) => body),
    status: async (id: string): Promise<OutboundMail['status'] | undefined> =>
      (await contact.readMail(id))?.status,
  };
}

/**
 * The same ports for a worker that dies at its call of this number: before it is made, or after it was carried out and before
 * its answer came. Everything it does from then on fails.
 */
export function mortal<P extends object>(
  ports: P,
  diesAt: number,
  after: boolean,
): { ports: P; calls: () => number } {
  let calls = 0;
  let dead = false;
  const wrap = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    return new Proxy(value, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return wrap(found);
        if (UNCOUNTED.has(String(name))) return found.bind(target) as unknown;
        return async (...given: unknown[]) => {
          calls += 1;
          if (dead || (calls === diesAt && !after)) {
            dead = true;
            throw new Dead(`at call ${calls}`);
          }
          const dies = calls === diesAt;
          const result: unknown = await Reflect.apply(found, target, given);
          if (dies) dead = true;
          if (dead) throw new Dead(`after call ${diesAt}`);
          return result;
        };
      },
    });
  };
  return { ports: wrap(ports) as P, calls: () => calls };
}

/** What a process does within itself. */
const UNCOUNTED: ReadonlySet<string> = new Set(['now', 'next', 'uuidv7', 'report', 'then', 'noted']);
