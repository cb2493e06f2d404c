// What a ticket's life and reads of the helpdesk cost, as tables; and a sentence for each limit that is exceeded.
import { lifeExceeded } from '../../test/performance/helpdesk-budgets.ts';
import {
  HELPDESK_ASSUMED,
  LIFE_KINDS,
  measureLife,
  type StepCost,
  sumOf,
} from '../../test/performance/helpdesk-cost.ts';
import { measureReads } from '../../test/performance/helpdesk-reads.ts';
import { dollars, tableOf } from './text-table.ts';

/** So many tickets a workspace has whose reads are counted. */
const TICKETS = 10_000;

export interface HelpdeskCost {
  readonly text: string;
  readonly over: readonly string[];
}

export async function helpdeskCost(): Promise<HelpdeskCost> {
  const parts: string[] = [];
  const over: string[] = [];
  for (const kind of LIFE_KINDS) {
    const steps = await measureLife(kind);
    const all = sumOf(steps, 'all of it');
    over.push(...lifeExceeded(kind, all));
    parts.push(stepTable(`a ticket ${kind}`, [...steps, all]));
  }
  parts.push(stepTable(`reads, ${TICKETS} tickets`, await measureReads(TICKETS)));
  parts.push(`Assumed: ${HELPDESK_ASSUMED}`);
  return { text: parts.join('\n\n'), over };
}

const stepTable = (title: string, steps: readonly StepCost[]): string =>
  tableOf(steps, {
    [title]: ({ step }) => step,
    'write units': ({ writeUnits }) => String(writeUnits),
    'of them indexes': ({ indexWriteUnits }) => String(indexWriteUnits),
    'read units': ({ readUnits }) => String(readUnits),
    'SQS requests': ({ sqsRequests }) => String(sqsRequests),
    invocations: ({ invocations }) => String(invocations),
    mails: ({ mails }) => String(mails),
    'per million': ({ dollarsPerMillion }) => dollars(dollarsPerMillion),
  });
