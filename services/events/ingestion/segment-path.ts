// POST /v1/batch, /v1/track and the other calls of Segment's tracking API. Each message is an event by the table in
// lib/events/domain/segment; from there on it is accepted as any other. Guarantees: a message sent again is one event and
// a success, as Segment's libraries expect; where a single message could not be stored the whole request is answered 503,
// which those libraries repeat.
import { RETRY_AFTER_SEC } from '#lib/core/http/request-rules.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { EVENT_LIMITS, type EventOrigin } from '#lib/events/domain/event/event.ts';
import type { SegmentCall } from '#lib/events/domain/segment/fields.ts';
import { type SegmentEvent, segmentEvent } from '#lib/events/domain/segment/to-event.ts';
import { acceptBatch, type EventAnswer, type Prepare } from './accept-batch.ts';
import type { AcceptPorts } from './ports.ts';
import { batchOf, eventIdOf, RefusedEvent } from './read-body.ts';
import { type Answer, failure, json, retryLater, withRefused } from './replies.ts';
import { forMerchant, type Sender } from './server-path.ts';

export async function postSegmentBatch(value: unknown, ports: AcceptPorts, key: Sender): Promise<Answer> {
  const batch = segmentBatch(value, EVENT_LIMITS.batchEventsMax);
  return 'messages' in batch ? replyToBatch(await acceptMessages(batch, ports, forMerchant(key))) : batch;
}

export async function postSegmentCall(
  call: SegmentCall,
  value: unknown,
  ports: AcceptPorts,
  key: Sender,
): Promise<Answer> {
  return replyToCall(await acceptMessages({ messages: [value], call }, ports, forMerchant(key)));
}

interface Messages {
  readonly messages: readonly unknown[];
  /** Of all of them; absent where each says its own. */
  readonly call?: SegmentCall;
  readonly sentAt?: unknown;
}

/** The messages of a body, or the refusal. */
export function segmentBatch(value: unknown, max: number): Messages | Answer {
  const messages = batchOf(value, 'batch');
  if (messages !== null && messages.length > 0 && messages.length <= max)
    return { messages, sentAt: (value as { sentAt?: unknown }).sentAt };
  const details = [{ path: 'batch', message: `must hold 1 to ${max} messages` }];
  return failure('invalid_request', { details });
}

export function replyToBatch(answers: readonly MessageAnswer[]): Answer {
  const results = answers.map(({ result }) => result);
  if (results.some(({ status }) => status === 503)) return retryLater('unavailable', RETRY_AFTER_SEC);
  const success = results.every(({ status }) => status === 200);
  return withRefused(
    json(200, { success, results }),
    answers.filter(isRefused).map(({ answer }) => answer),
  );
}

export function replyToCall([one]: readonly MessageAnswer[]): Answer {
  if (one === undefined || one.result.status === 503) return retryLater('unavailable', RETRY_AFTER_SEC);
  if (!isRefused(one)) return json(200, { success: true });
  const { code = 'invalid_request', details = [] } = one.result;
  return withRefused(failure(code, { details }), [one.answer]);
}

export async function acceptMessages(
  { messages, call, sentAt }: Messages,
  ports: AcceptPorts,
  prepareAny: Prepare,
): Promise<readonly MessageAnswer[]> {
  const nowMs = ports.clock.now();
  const read = messages.map((message) => {
    if (message instanceof RefusedEvent) return message;
    const event = segmentEvent(message, call, { nowMs, sentAt, uuid: () => ports.random.uuidv7(nowMs) });
    return 'event' in event
      ? event
      : new RefusedEvent('invalid_request', [event], eventIdOf(message, 'messageId'));
  });
  const prepare: Prepare = (body, index) => {
    const prepared = prepareAny(body, index);
    if (typeof prepared === 'string') return prepared;
    const internal = originOf(read[index] as SegmentEvent);
    return internal === undefined
      ? prepared
      : { ...prepared, body: { ...prepared.body, internal: { ...prepared.body.internal, ...internal } } };
  };
  const answers = await acceptBatch(
    read.map((one) => (one instanceof RefusedEvent ? one : one.event)),
    prepare,
    ports,
  );
  return answers.map((answer, index) => ({ answer, result: asSegmentAnswers(answer, read[index]) }));
}

function originOf({ onlyPlatforms, unknownConsent }: SegmentEvent): EventOrigin | undefined {
  if (onlyPlatforms === undefined && unknownConsent === undefined) return undefined;
  return withoutUndefined({ only_platforms: onlyPlatforms, unknown_consent: unknownConsent });
}

/** `answer` names our fields, `result` those of the sender. */
interface MessageAnswer {
  readonly answer: EventAnswer;
  readonly result: EventAnswer;
}

const isRefused = ({ result }: MessageAnswer): boolean => result.status !== 200;

/** A duplicate is a success, and what was wrong is named as the sender wrote it. */
function asSegmentAnswers(answer: EventAnswer, read: SegmentEvent | RefusedEvent | undefined): EventAnswer {
  if (answer.status === 202 || answer.code === 'duplicate_event')
    return { event_id: answer.event_id, status: 200 };
  if (answer.details === undefined || read === undefined || read instanceof RefusedEvent) return answer;
  const details = answer.details.map(({ path, message }) => ({
    path: sourceOf(path, read.cameFrom),
    message,
  }));
  return { ...answer, details };
}

/** The longest part of the path that came from somewhere; the rest, such as a position in a list, stays behind it. */
function sourceOf(path: string, cameFrom: ReadonlyMap<string, string>): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const from = cameFrom.get(path.slice(0, end));
    if (from !== undefined) return from + path.slice(end);
  }
  return path;
}
