// Asks a platform what became of events that it took, half an hour on and later: one question for each request, whatever number of
// events it carried, and the answer is written where the success stands. Guarantees: an answer moves only a success that waits for
// it; a question that fails costs the event nothing and is put again; none pauses a connection or opens its circuit.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { PlatformDefect } from '#lib/events/domain/connections/platform-defect.ts';
import { type BatchOutcomes, batchId } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Said } from '#lib/events/domain/deliveries/confirmation.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { confirmed } from '#lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { callConnection } from '#lib/events/pipeline/connections/call-connection.ts';
import type { OpenConnection } from '#lib/events/pipeline/connections/open-connection.ts';
import { type CountedAt, countedAt } from '#lib/events/pipeline/counting/due-buckets.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import { requestCounterRefresh } from '../../aggregate/message.ts';
import { changeOutcomes } from '../batch-outcomes.ts';
import type { DeliverPorts } from '../ports.ts';
import type { JobContext } from '../sending.ts';
import type { Job } from '../stage.ts';
import { recordDelivery } from '../transitions.ts';

const QUESTIONS_AT_ONCE = 4;
const WRITES_AT_ONCE = 8;

/** A row that stands alone, or positions of a batch with the names of their events, that wait for an answer. */
export type Asked =
  | { readonly row: NormalizedRow; readonly request: string }
  | {
      readonly outcomes: BatchOutcomes;
      readonly positions: readonly {
        readonly position: number;
        readonly name: string;
        readonly request: string;
      }[];
    };

/** What waits for an answer at this time, of what a job has read. */
export interface Asking {
  add(asked: Asked): void;
  readonly all: readonly Asked[];
}

export function createAsking(): Asking {
  const all: Asked[] = [];
  return { all, add: (asked) => void all.push(asked) };
}

type Answer = (name: string) => Said;
const GONE: Answer = () => ({ word: 'never', reason: 'not_connected' });

interface Asker {
  readonly job: Job;
  /** Null: the connection was removed, so that there is none to ask with. */
  readonly open: OpenConnection | null;
  /** No question is put later, as no event is sent. */
  readonly untilMs: number;
}

/** `fail`: its message must come again. */
export async function askPlatform(
  { all }: Asking,
  { job, open, untilMs }: Asker,
  context: JobContext,
  fail: (id: string, error: unknown) => void,
): Promise<void> {
  if (all.length === 0) return;
  const { ports } = context;
  const requests = [...new Set(all.flatMap(requestsIn))];
  const answers = new Map<string, Answer>();
  await inParallel(requests, QUESTIONS_AT_ONCE, async (request) => {
    if (open === null) answers.set(request, GONE);
    // What is left is due still: the next sweep sends its pointers.
    else if (ports.clock.now() <= untilMs) answers.set(request, await ask(request, job, open, context));
  });
  const changed: CountedAt[] = [];
  await inParallel(all, WRITES_AT_ONCE, async (asked) => {
    try {
      changed.push(...(await write(asked, answers, job, ports)));
    } catch (error) {
      fail('row' in asked ? rowId(asked.row.key) : batchId(asked.outcomes.batch), error);
    }
  });
  await requestCounterRefresh(changed, ports);
}

const requestsIn = (asked: Asked): readonly string[] =>
  'row' in asked ? [asked.request] : asked.positions.map(({ request }) => request);

async function ask(
  request: string,
  { platform }: Job,
  open: OpenConnection,
  { ports, tokens }: JobContext,
): Promise<Answer> {
  const waiting: Answer = () => ({ word: 'waiting' });
  const source = platform.statusOf;
  if (source === undefined) return () => ({ word: 'never', reason: 'not_asked' });
  try {
    const called = await callConnection(
      open,
      platform,
      tokens,
      (accessToken) => {
        const token = accessToken === undefined ? {} : { accessToken };
        const built = source.buildRequest(open.credentials, request, { test: false, ...token });
        return ports.transport.send(built, { timeoutMs: platform.limits.timeoutMs });
      },
      (result) => result.kind === 'response' && result.status === 401,
    );
    return 'noToken' in called ? waiting : source.readStatus(called.result, open.credentials);
  } catch (error) {
    const defect = new PlatformDefect(platform.slug, 'statusOf', error);
    ports.report(defect.message, defect);
    return waiting;
  }
}

/** Where what the figures count was changed: a late rejection, or that no word will come. */
async function write(
  asked: Asked,
  answers: ReadonlyMap<string, Answer>,
  { target }: Job,
  ports: DeliverPorts,
): Promise<readonly CountedAt[]> {
  const nowMs = ports.clock.now();
  if ('row' in asked) {
    const { row, request } = asked;
    const said = answers.get(request)?.(row.event.name);
    if (said === undefined) return [];
    const at = isCounted(said) ? [countedAt(row)] : [];
    await markDue(at, ports);
    const written = await recordDelivery(
      row,
      target,
      (previous) => confirmed(previous, request, said, nowMs),
      ports,
    );
    return written === null ? [] : at;
  }
  const { outcomes, positions } = asked;
  const answered = positions.flatMap(({ position, name, request }) => {
    const said = answers.get(request)?.(name);
    return said === undefined ? [] : [{ position, request, said }];
  });
  const { merchantId, minuteMs, shard } = outcomes.batch;
  const counted = answered.some(({ said }) => isCounted(said));
  const at = counted ? [{ merchantId, receivedAtMs: minuteMs, ...(shard === 0 ? {} : { shard }) }] : [];
  await markDue(at, ports);
  const changesOf = (current: BatchOutcomes): Map<number, Delivery> =>
    new Map(
      answered.flatMap(({ position, request, said }) => {
        const next = confirmed(deliveryAt(current, position), request, said, nowMs);
        return next === null ? [] : [[position, next] as const];
      }),
    );
  const { positions: changed } = await changeOutcomes(outcomes, changesOf, ports);
  return changed.size === 0 ? [] : at;
}

/** Most is confirmed, and counts as before. */
const isCounted = ({ word }: Said): boolean => word !== 'confirmed' && word !== 'waiting';

/** First: their minutes may have been sealed, and a lost message must not leave their figures as they were. */
async function markDue(at: readonly CountedAt[], { slots }: DeliverPorts): Promise<void> {
  for (const row of at) await slots?.markDueAgain(row);
}
