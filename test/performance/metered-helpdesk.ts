// The helpdesk on the metered emulators: its API and its workers, a webhook's receiver and a mail provider for an answer.
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import type { Pointer } from '../../lib/helpdesk/domain/pointer.ts';
import { drainQueue } from './drain-queue.ts';
import { METERED_START_MS, openMeteredEmulators } from './metered-emulators.ts';
import { createHelpdeskFunctions, WORKSPACE } from './metered-helpdesk-functions.ts';
import { plantTickets } from './plant-tickets.ts';
import { plantMerchant } from './planted-merchant.ts';

/** Functions of the helpdesk whose calls are counted. */
export const HELPDESK_STAGES = ['api', 'webhooks', 'runs', 'mail-out', 'sweep'] as const;
export type HelpdeskStage = (typeof HELPDESK_STAGES)[number];

export type MeteredHelpdesk = Awaited<ReturnType<typeof openMeteredHelpdesk>>;

/** What a queue takes. */
const QUEUE_MS = 50;
/** Messages of one invocation. */
const BATCH_SIZE = 10;

export async function openMeteredHelpdesk() {
  const emulators = await openMeteredEmulators();
  const { parts, invoked } = emulators;
  const { clients, env, clock } = parts;
  const config = { db: clients.db('seed'), table: env.CONFIG_TABLE ?? '', clock };
  const [apiKey = ''] = await plantMerchant(config, {
    merchantId: WORKSPACE,
    keysOf: 'hdk_live',
    scopes: HELPDESK_SCOPES,
    secrets: [Buffer.alloc(32, 9)],
  });
  const functions = await createHelpdeskFunctions(parts);
  const poller = clients.sqs('poller');
  return {
    clock,
    dynamo: emulators.dynamo,
    sqs: emulators.sqs,
    /** Invocations of each function so far. */
    invocations: emulators.invocations,
    /** What a function reported as a problem: empty after a good run. */
    problems: functions.problems,
    /** Mails that the provider took so far. */
    mailsSent: functions.mailsSent,
    /** One call of the API with a key of every scope; its answer. Rejects where it is none of 2xx. */
    async call(method: 'GET' | 'POST', path: string, body?: unknown) {
      invoked('api');
      const answer = await functions.app.inject({
        method,
        url: path,
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
      return answer.json();
    },
    /** The workers' queues, until they are empty. */
    async work() {
      // One makes work for those after it.
      for (const { stage, queueUrl, work } of functions.workers) {
        clock.advance(QUEUE_MS);
        await drainQueue(poller, { queueUrl, batchSize: BATCH_SIZE }, async (records) => {
          invoked(stage);
          const messages = records.map(({ body }) => ({
            body: JSON.parse(body) as Pointer,
            receiveCount: 1,
            sentAtMs: 0,
          }));
          return (await work(messages)).failedIndexes.length;
        });
      }
    },
    /** What the schedule runs each minute. */
    sweep: async () => {
      invoked('sweep');
      return await functions.sweep();
    },
    /** So many tickets of a workspace, uncounted. */
    async plant(workspaceId: string, count: number) {
      const startMs = METERED_START_MS - count * 1_000;
      const table = env.HELPDESK_TABLE ?? '';
      await plantTickets(emulators.uncounted.db(), { table, workspaceId, count, startMs });
    },
    async close() {
      await functions.app.close();
      await emulators.close();
    },
  };
}
