// What a ticket's life costs on AWS: opened, answered, written to by its customer, answered again, closed; and what a list, a
// count and a search read. Every call is counted on the metered helpdesk, step by step, with all that follows from a step.
import { PRICES } from './cost-model.ts';
import {
  HELPDESK_STAGES,
  type HelpdeskStage,
  type MeteredHelpdesk,
  openMeteredHelpdesk,
} from './metered-helpdesk.ts';

export interface StepCost {
  readonly step: string;
  readonly writeUnits: number;
  /** The part of them that entries of indexes cost. */
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  /** Requests that carried something. */
  readonly sqsRequests: number;
  readonly invocations: number;
  readonly mails: number;
  /** Write units by function. */
  readonly writesOf: Readonly<Record<HelpdeskStage, number>>;
  /** Dollars for a million of these steps. */
  readonly dollarsPerMillion: number;
}

export type LifeKind = 'alone' | 'with a webhook' | 'by e-mail';
export const LIFE_KINDS: readonly LifeKind[] = ['alone', 'with a webhook', 'by e-mail'];

/** https://aws.amazon.com/ses/pricing/: $0.10 for a thousand. */
const MAIL_DOLLARS = 0.1 / 1e3;
/** Milliseconds of a function beside its calls of AWS, which take five each, four side by side; as `ASSUMED` has it. */
const INVOCATION = { mb: 512, ownMs: 5, callMs: 5, callsAtOnce: 4 } as const;

export const HELPDESK_ASSUMED = `a function has ${INVOCATION.mb} MB, works ${INVOCATION.ownMs} ms by itself and waits ${INVOCATION.callMs} ms for a call of AWS, ${INVOCATION.callsAtOnce} at once`;

const REPLY =
  'Thank you for writing. Your parcel left our warehouse yesterday; the carrier says it arrives tomorrow before noon.';
const QUESTION =
  'It is the third day and the tracking has not moved. Could you look where my parcel is, please?';

/** The life of one ticket, by step; `closed` ends with it. The customer is new to the workspace. */
export async function measureLife(kind: LifeKind): Promise<readonly StepCost[]> {
  const desk = await openMeteredHelpdesk();
  try {
    if (kind === 'with a webhook')
      await desk.call('POST', '/api/webhooks', { url: 'https://example.com/hook' });
    // What the first call of a minute, a key and a workspace costs besides is no ticket's.
    await life(desk, kind, 'warm-up@example.com');
    const steps = await life(desk, kind, 'jane.doe@example.com');
    if (desk.problems.length > 0) throw desk.problems[0];
    return steps;
  } finally {
    await desk.close();
  }
}

async function life(desk: MeteredHelpdesk, kind: LifeKind, email: string): Promise<readonly StepCost[]> {
  let id = '';
  const write = (body: string, author?: 'customer') =>
    desk.call('POST', '/api/v1/messages', {
      ticket_id: id,
      body,
      ...(author === undefined ? {} : { author }),
    });
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'opened, of a new customer',
      async () => {
        const body = {
          customer_email: email,
          customer_name: 'Jane Doe',
          subject: 'Where is my parcel?',
          message: QUESTION,
          channel: kind === 'by e-mail' ? 'email' : 'api',
        };
        id = ((await desk.call('POST', '/api/v1/conversations', body)) as { id: string }).id;
      },
    ],
    ['answered', () => write(REPLY)],
    ['the customer writes', () => write(QUESTION, 'customer')],
    ['answered again', () => write(REPLY)],
    ['closed', () => desk.call('POST', `/api/tickets/${id}/close`, { reason: 'solved' })],
  ];
  const costs: StepCost[] = [];
  for (const [step, act] of steps) {
    costs.push(
      await stepCost(desk, step, async () => {
        await act();
        await desk.work();
      }),
    );
    desk.clock.advance(1_000);
  }
  return costs;
}

/** Runs the work and says what it cost, over all functions. */
export async function stepCost(
  desk: MeteredHelpdesk,
  step: string,
  work: () => Promise<unknown>,
): Promise<StepCost> {
  const before = reading(desk);
  await work();
  const after = reading(desk);
  const difference = (name: 'writeUnits' | 'indexWriteUnits' | 'readUnits' | 'calls' | 'mails' | 'fair') =>
    after[name] - before[name];
  const writesOf = Object.fromEntries(
    HELPDESK_STAGES.map((stage) => [stage, after.writesOf[stage] - before.writesOf[stage]]),
  ) as Record<HelpdeskStage, number>;
  const counted = {
    writeUnits: difference('writeUnits'),
    indexWriteUnits: difference('indexWriteUnits'),
    readUnits: difference('readUnits'),
    sqsRequests: after.sqsRequests - before.sqsRequests,
    invocations: after.invocations - before.invocations,
    mails: difference('mails'),
  };
  const gbSec =
    (((difference('calls') * INVOCATION.callMs) / INVOCATION.callsAtOnce +
      counted.invocations * INVOCATION.ownMs) /
      1_000) *
    (INVOCATION.mb / 1_024);
  const dollars =
    counted.writeUnits * PRICES.writeUnit +
    counted.readUnits * PRICES.readUnit +
    counted.sqsRequests * PRICES.sqsRequest +
    difference('fair') * PRICES.sqsFairRequest +
    counted.invocations * PRICES.lambdaRequest +
    gbSec * PRICES.lambdaGbSec +
    counted.mails * MAIL_DOLLARS;
  return { step, ...counted, writesOf, dollarsPerMillion: dollars * 1e6 };
}

export function sumOf(steps: readonly StepCost[], step: string): StepCost {
  const sum = (of: (cost: StepCost) => number): number => steps.reduce((total, cost) => total + of(cost), 0);
  return {
    step,
    writeUnits: sum(({ writeUnits }) => writeUnits),
    indexWriteUnits: sum(({ indexWriteUnits }) => indexWriteUnits),
    readUnits: sum(({ readUnits }) => readUnits),
    sqsRequests: sum(({ sqsRequests }) => sqsRequests),
    invocations: sum(({ invocations }) => invocations),
    mails: sum(({ mails }) => mails),
    writesOf: Object.fromEntries(
      HELPDESK_STAGES.map((stage) => [stage, sum(({ writesOf }) => writesOf[stage])]),
    ) as Record<HelpdeskStage, number>,
    dollarsPerMillion: sum(({ dollarsPerMillion }) => dollarsPerMillion),
  };
}

function reading({ dynamo, sqs, invocations, mailsSent }: MeteredHelpdesk) {
  const usages = HELPDESK_STAGES.map((stage) => dynamo.usage({ label: stage }));
  const [sent, polled] = [
    HELPDESK_STAGES.map((stage) => sqs.usage({ label: stage })),
    sqs.usage({ label: 'poller' }),
  ];
  const total = (name: 'writeUnits' | 'indexWriteUnits' | 'readUnits'): number =>
    usages.reduce((sum, usage) => sum + usage[name], 0);
  return {
    writeUnits: total('writeUnits'),
    indexWriteUnits: total('indexWriteUnits'),
    readUnits: total('readUnits'),
    calls: usages.flatMap(({ calls }) => Object.values(calls)).reduce((sum, count) => sum + count, 0),
    sqsRequests:
      sent.reduce((sum, { requests }) => sum + requests, 0) + polled.requests - polled.emptyReceives,
    fair: sent.reduce((sum, { fairRequests }) => sum + fairRequests, 0) + polled.fairRequests,
    invocations: [...invocations.values()].reduce((sum, count) => sum + count, 0),
    mails: mailsSent(),
    writesOf: Object.fromEntries(
      HELPDESK_STAGES.map((stage, i) => [stage, usages[i]?.writeUnits ?? 0]),
    ) as Record<HelpdeskStage, number>,
  };
}
