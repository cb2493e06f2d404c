// One standard queue. Guarantees: limits of a request and of messages in flight; a message that failed comes back when its
// visibility timeout is over, and goes to the dead letters after its last receive; with group ids it is a fair queue: a
// group with much in flight waits for the others. Not modelled: duplicates, disorder and losses (test/simulation has them).
import { SQS } from '../aws/quotas.ts';
import type { Scheduler } from '../scheduler.ts';

export interface QueueSpec {
  readonly name: string;
  readonly visibilityMs: number;
  /** Receives before a message moves aside; absent: never. */
  readonly receivesMax?: number;
}

export interface Message {
  readonly id: string;
  readonly body: string;
  readonly groupId: string;
  readonly sentAtMs: number;
  receiveCount: number;
}

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(spec: QueueSpec, scheduler: Scheduler) {
  const lines = createLines();
  let generation = 0;
  let nextId = 0;
  let delayed = 0;
  let inFlight = 0;
  let inFlightPeak = 0;
  let dead = 0;
  let fair = false;
  const listeners: (() => void)[] = [];
  const depth = (): number => lines.size() + delayed + inFlight;
  const show = (message: Message): void => {
    lines.put(message, scheduler.now());
    for (const listener of listeners) listener();
  };
  /** A purge takes what waits elsewhere with it. */
  const showLater = (messages: readonly Message[], delayMs: number): void => {
    const born = generation;
    delayed += messages.length;
    scheduler.after(delayMs, () => {
      if (born !== generation) return;
      delayed -= messages.length;
      for (const message of messages) show(message);
    });
  };
  const receivedIn = new WeakMap<Message, number>();
  return {
    spec,
    /** Throws what SQS answers to a request it does not take. */
    send(
      entries: readonly { readonly body: string; readonly groupId?: string; readonly delaySec?: number }[],
    ) {
      const sizeBytes = entries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
      if (entries.length === 0 || entries.length > SQS.entriesMax)
        throw named('TooManyEntriesInBatchRequest');
      if (sizeBytes > SQS.requestSizeMaxBytes) throw named('BatchRequestTooLong');
      for (const { body, groupId = '', delaySec = 0 } of entries) {
        if (delaySec < 0 || delaySec > SQS.delayMaxSec) throw named('InvalidParameterValue');
        fair ||= groupId !== '';
        nextId += 1;
        const message: Message = {
          id: `${nextId}`,
          body,
          groupId,
          sentAtMs: scheduler.now(),
          receiveCount: 0,
        };
        if (delaySec > 0) showLater([message], delaySec * 1_000);
        else show(message);
      }
    },
    /** At most `max` messages and `sizeMaxBytes` of bodies, now in flight. */
    receive(max: number, sizeMaxBytes: number) {
      const taken: Message[] = [];
      let sizeBytes = 0;
      while (taken.length < max && inFlight < SQS.inFlightMax) {
        const message = lines.take(
          (next) => taken.length === 0 || sizeBytes + next.body.length <= sizeMaxBytes,
        );
        if (message === undefined) break;
        if (spec.receivesMax !== undefined && message.receiveCount >= spec.receivesMax) {
          dead += 1;
          lines.done(message.groupId);
          continue;
        }
        message.receiveCount += 1;
        receivedIn.set(message, generation);
        sizeBytes += message.body.length;
        inFlight += 1;
        taken.push(message);
      }
      inFlightPeak = Math.max(inFlightPeak, inFlight);
      return taken;
    },
    /** What became of messages that were received: the failed ones come back later. */
    settle(messages: readonly Message[], isFailed: (message: Message) => boolean) {
      const failed: Message[] = [];
      for (const message of messages) {
        if (receivedIn.get(message) !== generation) continue;
        inFlight -= 1;
        lines.done(message.groupId);
        if (isFailed(message)) failed.push(message);
      }
      // From its receive on, which was a little before: late rather than early.
      if (failed.length > 0) showLater(failed, spec.visibilityMs);
    },
    purge() {
      generation += 1;
      lines.clear();
      delayed = 0;
      inFlight = 0;
    },
    /** Visible now. */
    waiting: () => lines.size(),
    /** All that are not deleted: visible, delayed and in flight. */
    depth,
    inFlightPeak: () => inFlightPeak,
    deadLetters: () => dead,
    /** True once a message carried a group id. */
    isFair: () => fair,
    /** Since when the longest waiting visible message waits; undefined where none does. */
    oldestWaitingMs: () => lines.oldestMs(),
    onMessage: (listener: () => void) => void listeners.push(listener),
  };
}

interface Line {
  readonly groupId: string;
  readonly waiting: { readonly message: Message; readonly sinceMs: number }[];
  head: number;
  inFlight: number;
}

/** A line for each group; the next message is of the group with the least in flight, of equals the one that waits longest. */
function createLines() {
  let lines = new Map<string, Line>();
  /** Groups with messages, by how many of them are in flight. */
  let ready: Map<number, Set<Line>> = new Map();
  let size = 0;
  let since: { readonly message: Message; readonly sinceMs: number }[] = [];
  let sinceHead = 0;
  const taken = new WeakSet<Message>();
  const count = (line: Line): number => line.waiting.length - line.head;
  const enter = (line: Line): void => {
    const known = ready.get(line.inFlight);
    if (known === undefined) ready.set(line.inFlight, new Set([line]));
    else known.add(line);
  };
  const leave = (line: Line): void => {
    const known = ready.get(line.inFlight);
    known?.delete(line);
    if (known?.size === 0) ready.delete(line.inFlight);
  };
  const lineOf = (groupId: string): Line => {
    const known = lines.get(groupId);
    if (known !== undefined) return known;
    const made: Line = { groupId, waiting: [], head: 0, inFlight: 0 };
    lines.set(groupId, made);
    return made;
  };
  const move = (line: Line, change: () => void): void => {
    if (count(line) > 0) leave(line);
    change();
    if (count(line) > 0) enter(line);
    else if (line.inFlight === 0) lines.delete(line.groupId);
  };
  return {
    size: () => size,
    put(message: Message, nowMs: number): void {
      const entry = { message, sinceMs: nowMs };
      taken.delete(message);
      move(lineOf(message.groupId), () => lineOf(message.groupId).waiting.push(entry));
      since.push(entry);
      size += 1;
    },
    take(fits: (message: Message) => boolean): Message | undefined {
      if (size === 0) return undefined;
      const least = ready.size === 1 ? ready.keys().next().value : Math.min(...ready.keys());
      const line = ready
        .get(least ?? 0)
        ?.values()
        .next().value;
      const entry = line?.waiting[line.head];
      if (line === undefined || entry === undefined || !fits(entry.message)) return undefined;
      move(line, () => {
        line.head += 1;
        line.inFlight += 1;
        if (line.head > 1_024 && line.head * 2 > line.waiting.length) {
          line.waiting.splice(0, line.head);
          line.head = 0;
        }
      });
      taken.add(entry.message);
      size -= 1;
      return entry.message;
    },
    done(groupId: string): void {
      const line = lines.get(groupId);
      if (line === undefined) return;
      move(line, () => {
        line.inFlight -= 1;
      });
    },
    oldestMs(): number | undefined {
      while (sinceHead < since.length && taken.has((since[sinceHead] as { message: Message }).message))
        sinceHead += 1;
      if (sinceHead > 4_096) {
        since.splice(0, sinceHead);
        sinceHead = 0;
      }
      return since[sinceHead]?.sinceMs;
    },
    clear(): void {
      lines = new Map();
      ready = new Map();
      since = [];
      sinceHead = 0;
      size = 0;
    },
  };
}

function named(name: string): Error {
  return Object.assign(new Error(name), { name });
}
