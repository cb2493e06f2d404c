// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) from what a handler yields.
// Guarantees: the next event is requested only after the client took the previous one; a comment is sent during
// silence, so that proxies keep the connection; the source is closed when either side ends; an error of the source
// becomes the last event.
import { Readable } from 'node:stream';
import type { ErrorBody } from '../../core/http/errors.ts';
import type { AnyStreamEvent } from '../../core/http/handler.ts';

/** Proxies and load balancers close connections that are silent for 30 to 60 seconds. */
export const HEARTBEAT_MS = 15_000;

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Asks nginx, and compatible proxies, not to buffer.
  'x-accel-buffering': 'no',
} as const;

const COMMENT = ': still here\n\n';
/** Would end the line, or is refused by browsers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in an id.
const NOT_IN_A_LINE = /[\n\r\u0000]/;

export interface EventStreamParts {
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  /** What is said of a thrown value; the callback also reports it. */
  readonly failureOf: (error: unknown) => ErrorBody;
  /** Calls `then` after `ms`, unless the returned function is called first. */
  readonly after: (ms: number, then: () => void) => () => void;
}

type Happened =
  | { readonly kind: 'item'; readonly item: IteratorResult<AnyStreamEvent> }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'silence' }
  | { readonly kind: 'left' };

/** As a stream that a server can send; destroying it closes the source. */
export function eventStream(source: AsyncIterable<AnyStreamEvent>, parts: EventStreamParts): Readable {
  const stream = Readable.from(textOf(source, parts), { objectMode: false, highWaterMark: 16_384 });
  // Also while it waits for a reader that will not come back.
  parts.signal.addEventListener('abort', () => void stream.destroy(), { once: true });
  return stream;
}

async function* textOf(
  source: AsyncIterable<AnyStreamEvent>,
  parts: EventStreamParts,
): AsyncGenerator<string, void> {
  const events = source[Symbol.asyncIterator]();
  const left = leaving(parts.signal);
  let isOver = false;
  try {
    let next: Promise<Happened> | undefined;
    while (!isOver) {
      next ??= nextOf(events);
      const happened = await first(next, left, parts);
      if (happened.kind === 'left') return;
      if (happened.kind === 'silence') {
        yield COMMENT;
        continue;
      }
      next = undefined;
      if (happened.kind === 'failed') {
        isOver = true;
        yield failureText(parts.failureOf(happened.error));
      } else if (happened.item.done === true) isOver = true;
      else yield eventText(happened.item.value);
    }
  } catch (error) {
    // An event that cannot be serialized.
    yield failureText(parts.failureOf(error));
  } finally {
    // Not awaited: a busy source ends when it checks the signal, and no client is left.
    if (!isOver) Promise.resolve(events.return?.()).catch(parts.failureOf);
  }
}

function nextOf(events: AsyncIterator<AnyStreamEvent>): Promise<Happened> {
  return Promise.resolve(events.next()).then(
    (item) => ({ kind: 'item', item }),
    (error: unknown) => ({ kind: 'failed', error }),
  );
}

function leaving(signal: AbortSignal): Promise<Happened> {
  return new Promise((resolve) => {
    const leave = (): void => resolve({ kind: 'left' });
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

async function first(
  next: Promise<Happened>,
  left: Promise<Happened>,
  { after }: EventStreamParts,
): Promise<Happened> {
  let cancel = (): void => undefined;
  const silence = new Promise<Happened>((resolve) => {
    cancel = after(HEARTBEAT_MS, () => resolve({ kind: 'silence' }));
  });
  try {
    return await Promise.race([left, next, silence]);
  } finally {
    cancel();
  }
}

function eventText({ event, data, id }: AnyStreamEvent): string {
  if (NOT_IN_A_LINE.test(event) || (id !== undefined && NOT_IN_A_LINE.test(id)))
    throw new Error('an event has a name or an id of several lines');
  // JSON has no raw line ends, so any data is one line.
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const failureText = (data: ErrorBody): string => eventText({ event: 'error', data });
