// The pipeline: queues, the functions between them, and what each function may do.
// Guarantees: a function holds exactly the permissions listed with it; every queue reports failures per message and is
// bounded in concurrency; nothing here runs while no event arrives, except the two schedules.
import { CfnOutput, Duration, Fn } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV, INDEX } from '../../lib/events/domain/topology.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { REPEATED } from '../constructs/alarms.ts';
import {
  accepting,
  auditing,
  counting,
  delivering,
  type EventsQueues,
  findingPeople,
  guardingExpiry,
  managing,
  normalizing,
  recounting,
  recountingLater,
  replaying,
  reportingOrders,
  type Stores,
  suppressing,
  tellingReplays,
  workingReplays,
  workingTasks,
} from '../constructs/events/accesses.ts';
import { publishAddresses } from '../constructs/events/one-origin.ts';
import {
  ceilings,
  edge,
  knownPlatforms,
  notices,
  sandbox,
  serverLimit,
  signUps,
  stripe,
  unitBudget,
} from '../constructs/events/setting-accesses.ts';
import { BATCHES, gathered, TIMEOUT } from '../constructs/events/stage-limits.ts';
import { HTTP_TIMEOUT } from '../constructs/http-function.ts';
import { type QueueWithDlq, sends, sendTo } from '../constructs/queue-with-dlq.ts';
import { assistant, pages, sessions } from '../constructs/setting-accesses.ts';
import { type Access, type StageFunction, variables } from '../constructs/stage-function.ts';
import { API_MB, INGESTION_MB } from '../memory-sizes.ts';
import type { EventsDataStack } from './events-data.ts';
import { ProductStack, type ProductStackProps } from './product-stack.ts';

/** Of 202 to delivered: what a platform refuses for a while is sent again within two minutes. */
const DELIVERY_SLOW_MS = 120_000;

export interface EventsStackProps extends ProductStackProps {
  readonly data: EventsDataStack;
}

export class EventsStack extends ProductStack {
  readonly #stores: Stores;
  readonly #queues: EventsQueues;
  /** Platform slug → its queue: a platform that hangs fills its own queue and no other. */
  readonly #deliveries: ReadonlyMap<string, QueueWithDlq>;
  /** The same as one variable: slug → name, and what their addresses begin with. */
  readonly #deliveryQueueUrls: string;

  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, props, {
      product: 'events',
      prefix: '',
      description: 'Millrace: queues and functions of the event pipeline',
    });
    this.#stores = props;
    this.#queues = {
      accepted: this.queue('Accepted', TIMEOUT.stage),
      normalized: this.queue('Normalized', TIMEOUT.stage),
      counterRefresh: this.queue('CounterRefresh', TIMEOUT.aggregate),
      dueWork: this.queue('DueWork', TIMEOUT.drain),
      replays: this.queue('Replays', TIMEOUT.replay),
      taskWork: this.queue('TaskWork', TIMEOUT.tasks),
      // Apart from fresh counting: an audit of millions of rows delays no counter.
      audit: this.queue('Audit', TIMEOUT.reconcile),
    };
    const { platforms, sandboxUrl } = props.settings;
    const deployed = PLATFORMS.filter(({ slug }) => platforms?.includes(slug) ?? true);
    const queueOf = (slug: string) => this.queue(`Deliveries-${slug}`, TIMEOUT.deliver);
    const deliveries = deployed.map(({ slug }) => [slug, queueOf(slug)] as const);
    this.#deliveries = new Map(deliveries);
    // What they share is said once: a function has 4 KB for all of its variables.
    const [scheme = '', , host = '', account = ''] = Fn.split('/', this.#queues.accepted.queue.queueUrl, 5);
    this.#deliveryQueueUrls = this.toJsonString({
      '': `${scheme}//${host}/${account}/`,
      ...Object.fromEntries(deliveries.map(([slug, { queue }]) => [slug, queue.queueName])),
    });
    this.#entrances();
    this.#stages();
    const sweep = this.#schedules();
    this.#jobs();
    this.tendsSources(sweep);
    this.finish(this.#queues);
    new CfnOutput(this, 'DeliveryQueueUrls', { value: this.#deliveryQueueUrls });
    if (sandboxUrl !== undefined) new CfnOutput(this, 'PlatformSandboxUrl', { value: sandboxUrl });
  }

  /** What the world can call. */
  #entrances(): void {
    const { core, data } = this.#stores;
    const Ingestion = this.entrance('Ingestion', {
      description: 'Accepts events of servers: one conditional put, one pointer, 202',
      timeout: HTTP_TIMEOUT,
      memorySizeMb: INGESTION_MB,
      share: 'ingestionConcurrency',
      accesses: [
        ...accepting(this.#stores, this.#queues),
        ...core.apiKeys(),
        core.rates.items('UpdateItem'),
        ...[serverLimit, sandbox].map((access) => access(this.settings)),
      ],
    });
    // A function of its own: its callers take no concurrency from the servers of merchants, and it holds no permission of theirs.
    const BrowserIngestion = this.entrance('BrowserIngestion', {
      description: 'Accepts events of browsers, which have no credential, and serves the pixel',
      timeout: HTTP_TIMEOUT,
      memorySizeMb: INGESTION_MB,
      share: 'browserConcurrency',
      accesses: [
        ...accepting(this.#stores, this.#queues),
        core.rates.items('GetItem', 'PutItem', 'UpdateItem'),
        ...edge(this.settings),
        ceilings(this.settings),
      ],
    });
    this.alarms.countLines('LimitReached', { Ingestion }, { metric: 'event_limit_reached' });
    this.alarms.countLines('LimitReached', { BrowserIngestion }, { metric: 'browser_limit_reached' });
    this.alarms.watchFigure('LimitReached', {
      alarmDescription: 'A merchant sends more events a minute than it may: they are refused with 429.',
    });
    const Api = this.entrance('Api', {
      description: 'Dashboard API',
      // Emulators hand on what a function returns, head and all, where its URL streams.
      streams: !this.settings.ephemeral,
      timeout: Duration.seconds(29),
      memorySizeMb: API_MB,
      share: 'apiConcurrency',
      accesses: [
        ...managing(this.#stores),
        data.events.items('GetItem'),
        ...recounting(this.#stores),
        findingPeople(this.#stores),
        reportingOrders(this.#stores),
        suppressing(this.#stores),
        ...replaying(this.#stores, this.#queues),
        core.rates.items('GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'),
        ...core.vault('seal'),
        this.#queues.taskWork.sender(ENV.taskWorkQueueUrl),
        sessions(core.sessionIssuer),
        ...[pages, assistant, stripe, ceilings, sandbox, knownPlatforms, unitBudget, signUps].flatMap(
          (access) => access(this.settings),
        ),
      ],
    });
    publishAddresses(this, this.settings, { Ingestion, BrowserIngestion, Api });
  }

  /** What works the queues, in the order in which an event meets it. */
  #stages(): void {
    const normalize = this.stage(
      'Normalize',
      'Hashes identity once, seals what is personal, decides a verdict per platform',
      TIMEOUT.stage,
      [...normalizing(this.#stores, this.#queues), knownPlatforms(this.settings)],
    );
    const sending = [
      ...delivering(this.#stores, this.#queues),
      sandbox(this.settings),
      knownPlatforms(this.settings),
    ];
    const fanOut = this.stage(
      'FanOut',
      'Sends new events to the platforms that look well, and tells the queues of the others',
      TIMEOUT.stage,
      [...sending, reportingOrders(this.#stores), this.#deliverySenders()],
    );
    const deliver = this.stage(
      'Deliver',
      'Sends events to the platforms and records the answers',
      TIMEOUT.deliver,
      [...sending, recountingLater(this.#stores)],
    );
    const aggregate = this.stage(
      'Aggregate',
      'Folds rows into counters and sees to rows that were forgotten',
      TIMEOUT.aggregate,
      counting(this.#stores, this.#queues),
    );
    this.feed(normalize, this.#queues.accepted, gathered(this.settings), this.settings.normalizeConcurrency);
    this.feed(fanOut, this.#queues.normalized, BATCHES.normalized, this.settings.fanOutConcurrency);
    for (const [slug, queue] of this.#deliveries)
      this.feedRarely(slug, deliver, queue, BATCHES.delivery, this.settings.deliveryConcurrency);
    const { counterRefresh } = this.#queues;
    this.feed(aggregate, counterRefresh, BATCHES.counterRefresh, this.settings.aggregateConcurrency);
    // The lines come from lib/adapters/logger/delivery-lines.ts.
    this.alarms.countLines('RefusedDeliveries', { fanOut, deliver }, { metric: 'refused_deliveries' });
    this.alarms.countLines('DeprecatedCalls', { fanOut, deliver }, { metric: 'deprecated_calls' });
    this.alarms.countLines('ConnectionPaused', { fanOut, deliver }, { metric: 'connections_paused' });
    if (this.settings.metrics !== 'none')
      this.alarms.watchFigure('DeliverySlow', {
        ...REPEATED,
        ofReleases: true,
        figure: 'DeliveryLatency',
        statistic: 'p99',
        threshold: DELIVERY_SLOW_MS,
        alarmDescription: 'One event in a hundred reaches its platforms minutes after it was accepted.',
      });
  }

  /** What makes queues expendable: rows that are due are found again. */
  #schedules(): StageFunction {
    const { core, data } = this.#stores;
    const { events, batches, analytics } = data;
    const { normalized, counterRefresh, dueWork, replays, taskWork, audit } = this.#queues;
    const telling = [
      events.query(INDEX.due),
      batches.query(INDEX.due),
      events.items('BatchGetItem', 'UpdateItem'),
      batches.items('BatchGetItem', 'PutItem', 'UpdateItem'),
      ...core.routing('read'),
      normalized.sender(ENV.normalizedQueueUrl),
    ];
    const sweep = this.stage('Sweep', 'Sends the pointers of rows and slots that are due', TIMEOUT.sweep, [
      ...telling,
      tellingReplays(this.#stores),
      ...guardingExpiry(this.#stores),
      analytics.query(INDEX.due),
      counterRefresh.sender(ENV.counterRefreshQueueUrl),
      // What it may do with these is given with their sources (`tendsSources`).
      variables({
        [ENV.deliveryQueueUrls]: this.#deliveryQueueUrls,
        [ENV.dueWorkQueueUrl]: dueWork.queue.queueUrl,
        [ENV.replaysQueueUrl]: replays.queue.queueUrl,
        [ENV.taskWorkQueueUrl]: taskWork.queue.queueUrl,
        [ENV.auditQueueUrl]: audit.queue.queueUrl,
      }),
      knownPlatforms(this.settings),
    ]);
    const drain = this.stage(
      'Drain',
      'Goes on where a sweep found more than a page: merchants side by side, step by step',
      TIMEOUT.drain,
      [
        ...telling,
        this.#deliverySenders(),
        dueWork.sender(ENV.dueWorkQueueUrl),
        core.rates.items('UpdateItem'),
        knownPlatforms(this.settings),
      ],
    );
    const replay = this.stage(
      'Replay',
      'Carries replay plans out, step by step: merchants side by side, and beside new events',
      TIMEOUT.replay,
      [...workingReplays(this.#stores, this.#queues), ceilings(this.settings)],
    );
    const reconcile = this.stage(
      'Reconcile',
      'Recounts sealed hours, finds what is unfinished, erases what is kept no longer',
      TIMEOUT.reconcile,
      auditing(this.#stores, this.#queues),
    );
    for (const stage of [drain, replay, reconcile]) stage.allowOwnMessages();
    this.feedRarely('DueWork', drain, dueWork, BATCHES.step, this.settings.drainConcurrency);
    this.feedRarely('Replays', replay, replays, BATCHES.step, this.settings.replayConcurrency);
    this.feedRarely('Audit', reconcile, audit, BATCHES.step, this.settings.auditConcurrency);
    this.every(Duration.minutes(1), 'Sweep', sweep);
    this.every(Duration.hours(1), 'Reconcile', reconcile);
    this.alarms.countLines('CounterDrift', { reconcile }, { above0: 'drift' });
    this.alarms.watchFigure('CounterDrift', {
      alarmDescription: 'A log line of reconcile says drift above 0: what it found is in that line.',
      statistic: 'Maximum',
    });
    return sweep;
  }

  /** What merchants ask for that looks through all of their rows. */
  #jobs(): void {
    const tasks = this.stage(
      'Tasks',
      'Looks through all of a merchant’s rows, step by step: erases what is known of a person',
      TIMEOUT.tasks,
      [...workingTasks(this.#stores, this.#queues), ...notices(this.settings), sandbox(this.settings)],
    );
    tasks.allowOwnMessages();
    this.feedRarely('TaskWork', tasks, this.#queues.taskWork, BATCHES.step, this.settings.tasksConcurrency);
  }

  #deliverySenders(): Access {
    const queues = [...this.#deliveries.values()].map(({ queue }) => queue);
    return sendTo(queues, sends(this.settings.ephemeral), {
      [ENV.deliveryQueueUrls]: this.#deliveryQueueUrls,
    });
  }
}
