// Ways to let one unreadable row, one throwing platform or one stray message stop others; or to forget it for good.
import type { SqsEvent } from '#lib/adapters/lambda/sqs-batch.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import type { BatchResult, Received } from '#lib/core/ports/queue.ts';
import { isTargeted } from '#lib/events/domain/deliveries/progress.ts';
import { type EventRow, UnreadableRowError } from '#lib/events/domain/event/row.ts';
import { type BatchPointer, keysOf, type Pointers } from '#lib/events/domain/pointer.ts';
import { toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';
import { readRows, rowId } from '#lib/events/pipeline/read-rows.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import { createDeliverStage } from '#services/events/deliver/stage.ts';
import { createNormalizeStage } from '#services/events/normalize/stage.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

export function quarantineMutants(): Mutant[] {
  return caughtBy('quarantine', 'G21', { ...unreadableRows(), ...throwingPlatforms(), ...strayMessages() });
}

type Named = Readonly<Record<string, Mutation>>;

const unreadableRows = (): Named => ({
  'fails a whole read for one row': {
    events: (store) => ({
      ...store,
      readMany: async (...args) => {
        const read = await store.readMany(...args);
        const [bad] = read.unreadable;
        if (bad !== undefined) throw new UnreadableRowError(bad);
        return read;
      },
    }),
  },
  'takes a row it cannot read for one that is not there': {
    events: (store) => ({
      ...store,
      readMany: async (...args) => ({ ...(await store.readMany(...args)), unreadable: [] }),
    }),
  },
});

const throwingPlatforms = (): Named => ({
  'gives an event up where a platform throws': delivering((platform) => ({
    unsendable: (event, credentials) => {
      const built = attempt(() => platform.buildRequest([toOutgoing(event)], credentials, { test: false }));
      return built === THROWN ? DEFECT : platform.unsendable(event, credentials);
    },
  })),
  'gives an event up where a platform cannot say whether it may be sent': delivering((platform) => ({
    unsendable: (event, credentials) => {
      const answer = attempt(() => platform.unsendable(event, credentials));
      return answer === THROWN ? DEFECT : answer;
    },
  })),
  'takes an answer that nobody can read for a refusal': delivering((platform) => ({
    readResponse: (result, events) => {
      const outcomes = attempt(() => platform.readResponse(result, events));
      return outcomes === THROWN ? events.map(() => ({ kind: 'permanent' as const })) : outcomes;
    },
  })),
  'stops grouping at the first event that cannot be grouped': delivering((platform) => {
    let stopped = false;
    return {
      groupKey: (event, credentials) => {
        const key = stopped ? THROWN : attempt(() => platform.groupKey?.(event, credentials) ?? '');
        stopped = key === THROWN;
        if (key === THROWN) throw new TypeError('stopped');
        return key;
      },
    };
  }),
  'closes the window where a platform cannot say how long it is': delivering((platform) => ({
    ageMaxSec: (event) => {
      const sec = attempt(() => platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec);
      return sec === THROWN ? 1 : sec;
    },
  })),
});

const strayMessages = (): Named => ({
  'fails a whole batch for a message of another shape': {
    stages: {
      handler: (schema, ...rest) => {
        const handle = stageHandler(schema, ...rest);
        const isMessage = (text: string): boolean =>
          schema.safeParse(attempt(() => JSON.parse(text) as unknown)).success;
        return async (event) => {
          const { Records } = event as SqsEvent;
          if (Records.every(({ body }) => isMessage(body))) return await handle(event);
          return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
        };
      },
    },
  },
  'fails a whole batch for a pointer to nothing': {
    stages: {
      createNormalize: (ports) =>
        onlyIf(createNormalizeStage(ports), ports.events, (row) => row !== undefined),
    },
  },
  'fails a whole batch for a row that is not for its queue': {
    stages: {
      createDeliver: (ports, breaker) => {
        const stage = createDeliverStage(ports, breaker);
        const strict = onlyIf(
          stage,
          ports.events,
          (row, { platform }) =>
            row === undefined || (row.state === 'normalized' && isTargeted(row, platform)),
        );
        return async (messages, express) =>
          express === undefined
            ? { ...(await strict(messages)), left: new Map() }
            : await stage(messages, express);
      },
    },
  },
});

const THROWN = Symbol('thrown');
const DEFECT = { verdict: 'invalid', detail: 'defect' } as const;

function attempt<T>(call: () => T): T | typeof THROWN {
  try {
    return call();
  } catch {
    return THROWN;
  }
}

/** A deliver stage to which platforms look otherwise, anew for each batch. */
const delivering = (change: (platform: Platform) => Partial<Platform>): Mutation => ({
  stages: {
    createDeliver:
      (ports, breaker) =>
      (...messages) => {
        const platforms = ports.platforms.map((platform) => ({ ...platform, ...change(platform) }));
        return createDeliverStage({ ...ports, platforms }, breaker)(...messages);
      },
  },
});

/** Runs the stage where all rows that are pointed at are as they should be, and fails every message otherwise. */
const keysIn = (body: Pointers | BatchPointer) => ('rows' in body ? keysOf(body) : []);

/** Batches fail no message for a row. */
function onlyIf<Body extends Pointers | BatchPointer>(
  stage: (messages: readonly Received<Body>[]) => Promise<BatchResult>,
  events: Pick<EventStore, 'readMany'>,
  isRight: (row: EventRow | undefined, body: Body) => boolean,
): (messages: readonly Received<Body>[]) => Promise<BatchResult> {
  return async (messages) => {
    const { rows, unreadable } = await readRows(
      messages.flatMap(({ body }) => keysIn(body)),
      events,
    );
    const found = new Map(rows.map((row) => [rowId(row.key), row]));
    const unknown = new Set(unreadable.map(({ key }) => rowId(key)));
    const right = messages.every(({ body }) =>
      keysIn(body).every((key) => unknown.has(rowId(key)) || isRight(found.get(rowId(key)), body)),
    );
    return right ? await stage(messages) : { failedIndexes: messages.map((_, index) => index) };
  };
}
