// The helpdesk's functions as their handlers wire them, with one counted client each.
import type { FastifyInstance } from 'fastify';
import { createAuditIntents } from '../../lib/adapters/dynamodb/core/audit-log.ts';
import { createIdempotencyStore } from '../../lib/adapters/dynamodb/core/idempotency-store.ts';
import { createApiKeyStore } from '../../lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createKeyUseStore } from '../../lib/adapters/dynamodb/core/keys/key-uses.ts';
import { noteKeyUses } from '../../lib/adapters/dynamodb/core/keys/noted-keys.ts';
import { createCallLimiter } from '../../lib/adapters/dynamodb/core/limits/call-limiter.ts';
import { createDailyBudget } from '../../lib/adapters/dynamodb/core/limits/daily-budget.ts';
import { createMemberStore } from '../../lib/adapters/dynamodb/core/tenancy/members.ts';
import { createMerchantStore } from '../../lib/adapters/dynamodb/events/merchants.ts';
import { rememberMerchants } from '../../lib/adapters/dynamodb/events/remembered-merchants.ts';
import { createHelpdeskStores } from '../../lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { composeMail } from '../../lib/adapters/mail/compose.ts';
import { createMessageSender } from '../../lib/adapters/sqs/message-sender.ts';
import { createTenantMac } from '../../lib/adapters/vault/tenant-mac.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { PATIENCE } from '../../lib/helpdesk/domain/mail/transition.ts';
import { buildHelpdeskApi } from '../../services/helpdesk/api/app.ts';
import { createMailOutStage } from '../../services/helpdesk/mail-out/stage.ts';
import { createRunStage } from '../../services/helpdesk/runs/stage.ts';
import { runSweep } from '../../services/helpdesk/sweep/stage.ts';
import { createWebhookStage } from '../../services/helpdesk/webhooks/stage.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import type { MeteredParts } from './metered-emulators.ts';
import type { HelpdeskStage } from './metered-helpdesk.ts';

export const WORKSPACE = '8f14e45f-ceea-467f-a111-000000000002';
const MAIL_DOMAIN = 'desk.example.com';
const LATENCY_MS = 123;

export async function createHelpdeskFunctions(parts: MeteredParts) {
  const { clients, env, clock } = parts;
  let mails = 0;
  const { portsOf, problems } = portsMaker(parts);
  const app = apiOf(parts, portsOf('api'));
  await app.ready();
  const webhooks = portsOf('webhooks');
  const mail = portsOf('mail-out');
  const mailStage = createMailOutStage({
    ...mail,
    sender: {
      send: async () => {
        mails += 1;
        const providerId = `0100019a-${mails}`;
        return { kind: 'accepted', providerId, messageId: `<${providerId}@email.amazonses.com>` };
      },
      messageIdOf: async (id) => `<${id}@email.amazonses.com>`,
    },
    patience: PATIENCE,
    compose: composeMail,
    macs: createTenantMac({
      wrapper: parts.wrapper,
      keys: createDataKeyStore(mail.db, env.CONFIG_TABLE ?? ''),
      clock,
    }),
    mailDomain: MAIL_DOMAIN,
    workspaceName: async (id) =>
      (await createMerchantStore(mail.db, env.CONFIG_TABLE ?? '').merchant(id))?.name ?? '',
  });
  const webhookStage = createWebhookStage({
    ...webhooks,
    transport: {
      send: async () => ({
        kind: 'response',
        status: 200,
        headers: {},
        body: '',
        latencyMs: LATENCY_MS,
      }),
    },
    countDisabled: (figure) => problems.push(figure),
  });
  // No language model: what a draft costs is the provider's, and what it reads depends on the articles.
  const runStage = createRunStage({
    ...portsOf('runs'),
    model: null,
    perDay: createDailyBudget(clients.db('runs'), env.RATES_TABLE ?? ''),
    limits: { requests: 0, tokens: 0 },
    deadline: () => AbortSignal.timeout(1_000),
  });
  return {
    app,
    workers: [
      { stage: 'runs', queueUrl: env.HELPDESK_RUNS_QUEUE_URL ?? '', work: runStage },
      { stage: 'mail-out', queueUrl: env.HELPDESK_MAILS_QUEUE_URL ?? '', work: mailStage },
      { stage: 'webhooks', queueUrl: env.HELPDESK_DELIVERIES_QUEUE_URL ?? '', work: webhookStage },
    ],
    sweep: () => runSweep({ ...portsOf('sweep'), quarantine: (found) => problems.push(found) }),
    problems,
    mailsSent: () => mails,
  };
}

function portsMaker({ clients, env, clock, wrapper }: MeteredParts) {
  const problems: unknown[] = [];
  const random = createSeededRandom('metered');
  /** What a handler makes first, with clients of its own. */
  const portsOf = (label: HelpdeskStage) => {
    const db = clients.db(label);
    const sender = (name: string) => createMessageSender<never>(clients.sqs(label), env[name] ?? '');
    return {
      db,
      stores: createHelpdeskStores(
        db,
        { table: env.HELPDESK_TABLE ?? '', auditTable: env.HELPDESK_AUDIT_TABLE ?? '' },
        clock.now,
        (found) => problems.push(found),
      ),
      vault: createVault({ wrapper, keys: createDataKeyStore(db, env.CONFIG_TABLE ?? ''), clock }),
      deliveries: sender('HELPDESK_DELIVERIES_QUEUE_URL'),
      runs: sender('HELPDESK_RUNS_QUEUE_URL'),
      mails: sender('HELPDESK_MAILS_QUEUE_URL'),
      tasks: sender('HELPDESK_TASKS_QUEUE_URL'),
      clock,
      random,
      report: (problem: string, error: unknown): void => void problems.push(problem, error),
    };
  };
  return { portsOf, problems };
}

function apiOf(
  { env, clock }: MeteredParts,
  { db, ...ports }: ReturnType<ReturnType<typeof portsMaker>['portsOf']>,
): FastifyInstance {
  const table = env.CONFIG_TABLE ?? '';
  const uses = createKeyUseStore(db, table);
  const stores = {
    ...createApiKeyStore(db, table, ports.random, 'hdk'),
    ...uses,
    ...createMemberStore(db, table),
    ...createMerchantStore(db, table),
  };
  return buildHelpdeskApi({
    ...ports,
    config: rememberMerchants(noteKeyUses(stores, uses, clock), clock),
    audits: createAuditIntents(db, table, 'DESK_AUDITING#'),
    sessions: null,
    idempotency: createIdempotencyStore(db, env.RATES_TABLE ?? ''),
    limiter: createCallLimiter(db, env.RATES_TABLE ?? ''),
    webhooks: {
      refused: () => null,
      transport: () => Promise.reject(new Error('nothing is tried here')),
    },
    acceptedMails: null,
    mailDomain: MAIL_DOMAIN,
    origins: [],
  });
}
