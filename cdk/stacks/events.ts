// The pipeline: queues, the functions between them, and what each function may do.
// Guarantees: a function holds exactly the permissions listed with it; every queue reports failures per message and is
// bounded in concurrency; nothing here runs while no event arrives, except the two schedules.
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFn } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { ENV, INDEX } from '../../lib/events/domain/topology.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { Alarms } from '../constructs/alarms.ts';
import { assistant } from '../constructs/assistant.ts';
import {
  accepting,
  auditing,
  counting,
  delivering,
  normalizing,
  replaying,
  type Stores,
  tellingReplays,
  workingReplays,
  workingTasks,
} from '../constructs/events/accesses.ts';
import { BrowserIngestion } from '../constructs/events/browser-ingestion.ts';
import { ceilings } from '../constructs/events/ceilings.ts';
import {
  type DeliveryQueues,
  deliveryQueueUrls,
  deliverySenders,
} from '../constructs/events/delivery-queues.ts';
import { notices } from '../constructs/events/notices.ts';
import { publishAddresses } from '../constructs/events/one-origin.ts';
import { sandbox } from '../constructs/events/sandbox.ts';
import { BATCHES, type Batches, TIMEOUT } from '../constructs/events/stage-limits.ts';
import { stripe } from '../constructs/events/stripe.ts';
import { watchDeliveries } from '../constructs/events/watch-deliveries.ts';
import { HTTP_TIMEOUT, HttpFunction, ownShare } from '../constructs/http-function.ts';
import { publishDeadLetterQueues, QueueWithDlq } from '../constructs/queue-with-dlq.ts';
import { every } from '../constructs/schedule.ts';
import { logging, pages, sessions } from '../constructs/setting-accesses.ts';
import { type Access, StageFunction } from '../constructs/stage-function.ts';
import { API_MB, INGESTION_MB, stageMb } from '../memory-sizes.ts';
import type { MillraceStackProps, Settings } from '../settings.ts';
import type { CoreStack } from './core.ts';
import type { EventsDataStack } from './events-data.ts';

export interface EventsStackProps extends MillraceStackProps {
  readonly core: CoreStack;
  readonly data: EventsDataStack;
}

export class EventsStack extends Stack {
  readonly #stores: Stores;
  readonly #core: CoreStack;
  readonly #data: EventsDataStack;
  readonly #settings: Settings;
  readonly #alarms: Alarms;
  readonly #accepted: QueueWithDlq;
  readonly #normalized: QueueWithDlq;
  readonly #counterRefresh: QueueWithDlq;
  readonly #dueWork: QueueWithDlq;
  readonly #replays: QueueWithDlq;
  readonly #taskWork: QueueWithDlq;
  readonly #audit: QueueWithDlq;
  readonly #deliveries: DeliveryQueues;
  readonly #functions: Record<string, StageFunction> = {};

  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, {
      synthesizer: props.synthesizer,
      description: 'Millrace: queues and functions of the event pipeline',
    });
    this.#stores = props;
    this.#core = props.core;
    this.#data = props.data;
    this.#settings = props.settings;
    this.#alarms = new Alarms(this, 'Alarms', props.core.alarmTopic, props.settings);
    this.#accepted = this.#queue('Accepted', TIMEOUT.stage, Duration.minutes(5));
    this.#normalized = this.#queue('Normalized', TIMEOUT.stage, Duration.minutes(5));
    this.#counterRefresh = this.#queue('CounterRefresh', TIMEOUT.aggregate, Duration.minutes(15));
    this.#dueWork = this.#queue('DueWork', TIMEOUT.drain, Duration.minutes(15));
    this.#replays = this.#queue('Replays', TIMEOUT.replay, Duration.minutes(15));
    this.#taskWork = this.#queue('TaskWork', TIMEOUT.tasks, Duration.hours(1));
    // Apart from fresh counting: an audit of millions of rows delays no counter. It has an hour.
    this.#audit = this.#queue('Audit', TIMEOUT.reconcile, Duration.hours(1));
    // One queue per platform: a platform that hangs fills its own queue and no other.
    this.#deliveries = new Map(
      PLATFORMS.map(({ slug }) => [
        slug,
        this.#queue(`Deliveries-${slug}`, TIMEOUT.deliver, Duration.minutes(15)),
      ]),
    );
    this.#entrances();
    this.#stages();
    this.#schedules();
    this.#jobs();
    this.#alarms.watchQuarantine(this.#functions);
    this.#outputs();
  }

  /** What the world can call. */
  #entrances(): void {
    const { config, rates } = this.#core;
    const { events, batches } = this.#data;
    const ingestion = new HttpFunction(this, 'Ingestion', {
      service: 'events/ingestion',
      description: 'Accepts events of servers: one conditional put, one pointer, 202',
      timeout: HTTP_TIMEOUT,
      memorySizeMb: INGESTION_MB,
      ...ownShare(this.#settings, 'ingestionConcurrency'),
      accesses: [
        ...accepting(this.#stores, this.#accepted),
        ...this.#core.apiKeys(),
        logging(this.#settings),
      ],
    });
    const browserIngestion = new BrowserIngestion(this, 'BrowserIngestion', {
      settings: this.#settings,
      alarms: this.#alarms,
      accesses: [...accepting(this.#stores, this.#accepted), rates.items('GetItem', 'PutItem', 'UpdateItem')],
    });
    const api = new HttpFunction(this, 'Api', {
      service: 'events/api',
      description: 'Dashboard API',
      // Emulators hand on what a function returns, head and all, where its URL streams.
      streams: !this.#settings.ephemeral,
      timeout: Duration.seconds(29),
      memorySizeMb: API_MB,
      ...ownShare(this.#settings, 'apiConcurrency'),
      accesses: [
        config.items('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
        this.#core.merchantItems('DeleteItem'),
        events.items('GetItem', 'BatchGetItem'),
        events.query(INDEX.eventsByTime),
        batches.items('BatchGetItem'),
        ...replaying(this.#stores, { accepted: this.#accepted, replays: this.#replays }),
        rates.items('GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'),
        this.#core.vault('seal'),
        this.#taskWork.sender(ENV.taskWorkQueueUrl),
        sessions(this.#core.sessionIssuer),
        pages(this.#settings),
        ...[assistant, stripe, ceilings].flatMap((access) => access(this.#settings)),
        sandbox(this.#settings),
        logging(this.#settings),
      ],
    });
    const entrances = { Ingestion: ingestion, BrowserIngestion: browserIngestion, Api: api };
    for (const [name, fn] of Object.entries(entrances)) {
      this.#alarms.watchUrl(name, fn);
      this.#functions[name] = fn;
    }
    publishAddresses(this, this.#settings, entrances);
  }

  /** What works the queues, in the order in which an event meets it. */
  #stages(): void {
    const { events, batches } = this.#data;
    const normalize = this.#stage(
      'Normalize',
      'Hashes identity once, seals what is personal, decides a verdict per platform',
      TIMEOUT.stage,
      normalizing(this.#stores, this.#counterQueues()),
    );
    const fanOut = this.#stage('FanOut', 'Points events to platforms that are to have them', TIMEOUT.stage, [
      events.items('BatchGetItem', 'UpdateItem'),
      batches.items('BatchGetItem', 'PutItem'),
      deliverySenders(this, this.#deliveries),
    ]);
    const deliver = this.#stage(
      'Deliver',
      'Sends events to the platforms and records the answers',
      TIMEOUT.deliver,
      [
        ...delivering(this.#stores, { counterRefresh: this.#counterRefresh, taskWork: this.#taskWork }),
        sandbox(this.#settings),
      ],
    );
    const aggregate = this.#stage(
      'Aggregate',
      'Folds rows into counters and sees to rows that were forgotten',
      TIMEOUT.aggregate,
      counting(this.#stores, this.#counterQueues()),
    );

    const { normalizeConcurrency, fanOutConcurrency, deliveryConcurrency, aggregateConcurrency } =
      this.#settings;
    this.#feed(normalize, this.#accepted, BATCHES.accepted, normalizeConcurrency);
    this.#feed(fanOut, this.#normalized, BATCHES.normalized, fanOutConcurrency);
    for (const queue of this.#deliveries.values())
      this.#feed(deliver, queue, BATCHES.delivery, deliveryConcurrency);
    this.#feed(aggregate, this.#counterRefresh, BATCHES.counterRefresh, aggregateConcurrency);
    watchDeliveries(this.#alarms, deliver);
  }

  /** What makes queues expendable: rows that are due are found again. */
  #schedules(): void {
    const core = this.#core;
    const { events, batches, analytics } = this.#data;
    const telling = [
      events.query(INDEX.due),
      batches.query(INDEX.due),
      events.items('BatchGetItem', 'UpdateItem'),
      batches.items('BatchGetItem', 'PutItem', 'UpdateItem'),
      ...core.routing('read'),
      this.#normalized.sender(ENV.normalizedQueueUrl),
      deliverySenders(this, this.#deliveries),
      this.#dueWork.sender(ENV.dueWorkQueueUrl),
    ];
    const sweep = this.#stage('Sweep', 'Sends the pointers of rows and slots that are due', TIMEOUT.sweep, [
      ...telling,
      ...tellingReplays(this.#stores, this.#replays),
      analytics.query(INDEX.due),
      this.#counterRefresh.sender(ENV.counterRefreshQueueUrl),
    ]);
    const drain = this.#stage(
      'Drain',
      'Goes on where a sweep found more than a page: merchants side by side, step by step',
      TIMEOUT.drain,
      [...telling, core.rates.items('UpdateItem')],
    );
    drain.allowOwnMessages();
    this.#feed(drain, this.#dueWork, BATCHES.dueWork, this.#settings.drainConcurrency);
    const replay = this.#stage(
      'Replay',
      'Carries replay plans out, step by step: merchants side by side, and beside new events',
      TIMEOUT.replay,
      workingReplays(this.#stores, { accepted: this.#accepted, replays: this.#replays }, this.#settings),
    );
    replay.allowOwnMessages();
    this.#feed(replay, this.#replays, BATCHES.replay, this.#settings.replayConcurrency);
    const reconcile = this.#stage(
      'Reconcile',
      'Recounts sealed hours, finds what is unfinished, erases what is kept no longer',
      TIMEOUT.reconcile,
      auditing(this.#stores, { ...this.#counterQueues(), taskWork: this.#taskWork, audit: this.#audit }),
    );
    reconcile.allowOwnMessages();
    const alarms = this.#alarms;
    every(this, Duration.minutes(1), { name: 'Sweep', stage: sweep, alarms });
    every(this, Duration.hours(1), { name: 'Reconcile', stage: reconcile, alarms });
    this.#feed(reconcile, this.#audit, BATCHES.audit, this.#settings.auditConcurrency);
    this.#alarms.watchFigure('CounterDrift', reconcile, 'drift');
  }

  /** What merchants ask for that looks through all of their rows. */
  #jobs(): void {
    const tasks = this.#stage(
      'Tasks',
      'Looks through all of a merchant’s rows, step by step: erases what is known of a person',
      TIMEOUT.tasks,
      [...workingTasks(this.#stores, this.#taskWork), notices(this.#settings)],
    );
    tasks.allowOwnMessages();
    this.#feed(tasks, this.#taskWork, BATCHES.tasks, this.#settings.tasksConcurrency);
  }

  #counterQueues() {
    return { accepted: this.#accepted, normalized: this.#normalized, counterRefresh: this.#counterRefresh };
  }

  #outputs(): void {
    const queues = {
      AcceptedQueueUrl: this.#accepted,
      NormalizedQueueUrl: this.#normalized,
      DueWorkQueueUrl: this.#dueWork,
      CounterRefreshQueueUrl: this.#counterRefresh,
      ReplaysQueueUrl: this.#replays,
      TaskWorkQueueUrl: this.#taskWork,
      AuditQueueUrl: this.#audit,
    };
    for (const [name, { queue }] of Object.entries(queues))
      new CfnOutput(this, name, { value: queue.queueUrl });
    new CfnOutput(this, 'DeliveryQueueUrls', { value: deliveryQueueUrls(this, this.#deliveries) });
    publishDeadLetterQueues(this, 'DeadLetterQueueUrls');
  }

  #queue(name: string, consumerTimeout: Duration, waitMax: Duration): QueueWithDlq {
    const queue = new QueueWithDlq(this, name, { consumerTimeout, httpsOnly: !this.#settings.ephemeral });
    this.#alarms.watchQueue(name, queue, waitMax);
    return queue;
  }

  #stage(name: string, description: string, timeout: Duration, accesses: readonly Access[]): StageFunction {
    const stage = new StageFunction(this, name, {
      service: `events/${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`,
      description,
      timeout,
      memorySizeMb: stageMb(name),
      accesses: [...accesses, logging(this.#settings)],
    });
    this.#alarms.watchErrors(name, stage);
    this.#functions[name] = stage;
    return stage;
  }

  #feed(stage: LambdaFn, { queue }: QueueWithDlq, batches: Batches, maxConcurrency: number): void {
    const source = { ...batches, maxConcurrency, reportBatchItemFailures: true };
    stage.addEventSource(new SqsEventSource(queue, source));
  }
}
