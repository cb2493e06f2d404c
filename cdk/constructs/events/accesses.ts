// What several functions of the pipeline are permitted together, each named after what it is for.
import { ENV, INDEX } from '#lib/events/domain/topology.ts';
import { type CoreStack, onlyKeys } from '../../stacks/core.ts';
import type { EventsDataStack } from '../../stacks/events-data.ts';
import type { QueueWithDlq } from '../queue-with-dlq.ts';
import type { Access } from '../stage-function.ts';

export type EventsQueues = Readonly<
  Record<
    'accepted' | 'normalized' | 'counterRefresh' | 'dueWork' | 'replays' | 'taskWork' | 'audit',
    QueueWithDlq
  >
>;

export interface Stores {
  readonly core: CoreStack;
  readonly data: EventsDataStack;
}

/** To accept an event. */
export function accepting({ core, data }: Stores, { accepted, taskWork }: EventsQueues): readonly Access[] {
  return [
    data.events.items('GetItem', 'PutItem'),
    data.batches.items('BatchGetItem'),
    data.analytics.items('GetItem', 'Query', 'UpdateItem'),
    core.merchants(),
    accepted.sender(ENV.acceptedQueueUrl),
    // A limit that is near.
    taskWork.sender(ENV.taskWorkQueueUrl),
  ];
}

/** To count a minute from its rows, wherever they lie. */
export function recounting({ data }: Pick<Stores, 'data'>): readonly Access[] {
  const { events, batches } = data;
  const outcomes = batches.items('BatchGetItem', 'Query');
  return [
    events.items('BatchGetItem'),
    events.query(INDEX.eventsByTime),
    outcomes,
    ...data.pages('GetObject'),
  ];
}

/** To write to an event that may have left its table; see kept-items.ts. */
const holding = ({ data }: Pick<Stores, 'data'>): readonly Access[] => [
  ...data.pages('GetObject'),
  data.batches.items('Query', 'UpdateItem'),
];

/** How far the days of merchants have gone into pages; see horizons.ts. */
const HORIZONS = 'HORIZON';

/** To see that nothing expires that is not in a page, and to stop that. */
export const guardingExpiry = ({ core, data }: Stores): readonly Access[] => [
  onlyKeys(HORIZONS, core.config.items('GetItem', 'PutItem', 'Query')),
  data.events.expiry(),
  data.batches.expiry(),
];

/** To report purchases to their orders; see order-store.ts. */
export const reportingOrders = ({ data }: Pick<Stores, 'data'>): Access =>
  onlyKeys(ORDERS, data.analytics.items('GetItem', 'PutItem'));

/** The partitions of orders; see order-item.ts. */
const ORDERS = '*#order#*';

/** To find people and their orders; see attribution-store.ts. */
export const findingPeople = ({ data }: Pick<Stores, 'data'>): Access =>
  onlyKeys([PEOPLE, ORDERS], data.analytics.items('BatchGetItem'));

/** To put people on the list of those whose later events are not to name them, and to take them off; see suppressed-people.ts. */
export const suppressing = ({ data }: Pick<Stores, 'data'>): Access =>
  onlyKeys(SUPPRESSED, data.analytics.items('BatchGetItem', 'DeleteItem'));

/** The partitions of those lists. */
const SUPPRESSED = '*#suppressed';

/** To hash and seal what was accepted. */
export function normalizing(
  { core, data }: Stores,
  { accepted, normalized, counterRefresh }: EventsQueues,
): readonly Access[] {
  return [
    data.events.items('GetItem', 'BatchGetItem', 'UpdateItem'),
    data.batches.items('BatchGetItem', 'PutItem'),
    ...holding({ data }),
    ...core.routing('read'),
    core.merchantItems('UpdateItem'),
    data.analytics.items('BatchGetItem', 'GetItem', 'Query', 'UpdateItem'),
    reportingOrders({ data }),
    ...core.vault('seal'),
    core.dayKeys('make'),
    accepted.sender(ENV.acceptedQueueUrl),
    normalized.sender(ENV.normalizedQueueUrl),
    counterRefresh.sender(ENV.counterRefreshQueueUrl),
  ];
}

/** To fold rows into counters, and to see to rows that were forgotten. */
export function counting(stores: Stores, queues: EventsQueues): readonly Access[] {
  const { core, data } = stores;
  return [
    ...recounting(stores),
    data.events.items('UpdateItem'),
    data.batches.items('PutItem'),
    data.analytics.items('GetItem', 'Query', 'UpdateItem'),
    ...core.routing('read'),
    core.merchantItems('UpdateItem'),
    queues.taskWork.sender(ENV.taskWorkQueueUrl),
    queues.accepted.sender(ENV.acceptedQueueUrl),
    queues.normalized.sender(ENV.normalizedQueueUrl),
    queues.counterRefresh.sender(ENV.counterRefreshQueueUrl),
  ];
}

/** To recount sealed hours, to end what is kept no longer, and to look after jobs. */
export function auditing(stores: Stores, queues: EventsQueues): readonly Access[] {
  const { core, data } = stores;
  return [
    ...recounting(stores),
    data.analytics.items('GetItem', 'Query', 'UpdateItem'),
    ...data.pages('GetObject', 'PutObject', 'DeleteObject'),
    data.events.items('UpdateItem'),
    data.batches.items('UpdateItem'),
    onlyKeys(HORIZONS, core.config.items('GetItem', 'PutItem')),
    // To settle what orders are credited to.
    findingPeople(stores),
    reportingOrders(stores),
    ...core.vault('open'),
    core.dayKeys('open'),
    core.config.items('Scan'),
    core.merchants(),
    core.dayKeys('erase'),
    core.tasks('tend'),
    queues.taskWork.sender(ENV.taskWorkQueueUrl),
    queues.counterRefresh.sender(ENV.counterRefreshQueueUrl),
    queues.audit.sender(ENV.auditQueueUrl),
  ];
}

/** To put a replay at the head of the pipe, and to tell a plan to go on. */
export function replaying({ data }: Stores, { accepted, replays }: EventsQueues): readonly Access[] {
  return [
    data.events.items('PutItem'),
    data.analytics.items('GetItem', 'Query', 'UpdateItem'),
    accepted.sender(ENV.acceptedQueueUrl),
    replays.sender(ENV.replaysQueueUrl),
  ];
}

/** To carry plans out. */
export function workingReplays(stores: Stores, queues: EventsQueues): readonly Access[] {
  const { core, data } = stores;
  return [
    ...replaying(stores, queues),
    data.events.items('GetItem', 'BatchGetItem'),
    data.events.query(INDEX.eventsByTime),
    data.batches.items('BatchGetItem'),
    ...data.pages('GetObject'),
    ...core.vault('open'),
    core.dayKeys('open'),
    ...core.routing('read'),
    core.merchantItems('PutItem'),
    core.rates.items('UpdateItem'),
    onlyKeys(PLACES, core.config.items('GetItem', 'UpdateItem')),
  ];
}

/** What merchants set, ask for and look at over the API: of the config table what is theirs, and no key that wraps others. */
export const managing = ({ core }: Pick<Stores, 'core'>): readonly Access[] => [
  ...core.tenancy(),
  core.keyUses(),
  core.dayKeys('open'),
  onlyKeys('ROUTING#*', core.config.items('GetItem', 'PutItem', 'UpdateItem')),
  onlyKeys('TASKS#*', core.config.items('GetItem', 'Query', 'PutItem', 'UpdateItem')),
  onlyKeys('CUS#*', core.config.items('GetItem', 'PutItem')),
  onlyKeys(PLACES, core.config.items('GetItem', 'UpdateItem')),
];

/** To tell every plan that has a place. */
export const tellingReplays = ({ core }: Pick<Stores, 'core'>): Access =>
  onlyKeys(PLACES, core.config.items('Query'));

/** The partition of who has plans; see replay-store.ts. */
const PLACES = 'REPLAYS';

/** Sends events to platforms and records the answers; a connection that it pauses is told to its merchant. */
export function delivering(
  { core, data }: Stores,
  { counterRefresh, taskWork }: EventsQueues,
): readonly Access[] {
  return [
    data.events.items('GetItem', 'BatchGetItem', 'UpdateItem'),
    data.batches.items('BatchGetItem', 'Query', 'PutItem'),
    ...holding({ data }),
    data.analytics.items('Query'),
    onlyKeys(ORDERS, data.analytics.items('GetItem')),
    ...core.routing('pause'),
    ...core.vault('open'),
    core.rates.items('UpdateItem'),
    core.dayKeys('open'),
    counterRefresh.sender(ENV.counterRefreshQueueUrl),
    taskWork.sender(ENV.taskWorkQueueUrl),
  ];
}

/** To have minutes counted once more: deliveries in them are rejected later. */
export const recountingLater = ({ data }: Pick<Stores, 'data'>): Access =>
  data.analytics.items('GetItem', 'Query', 'UpdateItem');

/** The partitions of people by identifier; see attribution-store.ts. */
const PEOPLE = '*#touch#*';

/** To carry out jobs that look through all rows of a merchant, and to forget people. */
export function workingTasks({ core, data }: Stores, { taskWork }: EventsQueues): readonly Access[] {
  return [
    data.events.items('BatchGetItem', 'UpdateItem'),
    data.events.query(INDEX.eventsByTime),
    data.batches.items('BatchGetItem'),
    ...data.pages('GetObject', 'PutObject'),
    data.analytics.items('Query'),
    onlyKeys(PEOPLE, data.analytics.items('DeleteItem')),
    ...core.vault('open'),
    core.dayKeys('open'),
    ...core.routing('read'),
    core.tasks('work'),
    taskWork.sender(ENV.taskWorkQueueUrl),
  ];
}
