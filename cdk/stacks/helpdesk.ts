// The helpdesk: its API, and the workers of what follows from a change of a ticket.
// Guarantees: a function holds exactly the permissions listed with it; every queue reports failures per message and is bounded
// in concurrency; nothing here runs while nobody writes, except the schedules.
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFn } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { HELPDESK_ENV } from '../../lib/helpdesk/domain/topology.ts';
import { Alarms } from '../constructs/alarms.ts';
import { assistant } from '../constructs/assistant.ts';
import {
  changing,
  erasing,
  finding,
  type HelpdeskQueues,
  type HelpdeskStores,
  listing,
} from '../constructs/helpdesk/accesses.ts';
import { HelpdeskMail } from '../constructs/helpdesk/mail.ts';
import { HttpFunction, ownShare } from '../constructs/http-function.ts';
import { publishDeadLetterQueues, QueueWithDlq } from '../constructs/queue-with-dlq.ts';
import { every } from '../constructs/schedule.ts';
import { logging, pages, sessions } from '../constructs/setting-accesses.ts';
import { type Access, StageFunction } from '../constructs/stage-function.ts';
import { API_MB, STAGE_MB } from '../memory-sizes.ts';
import type { MillraceStackProps, Settings } from '../settings.ts';
import type { CoreStack } from './core.ts';
import type { HelpdeskDataStack } from './helpdesk-data.ts';

export interface HelpdeskStackProps extends MillraceStackProps {
  readonly core: CoreStack;
  readonly data: HelpdeskDataStack;
}

const TIMEOUT = {
  /** Three rounds of receivers that take 15 seconds, and what waits between. */
  webhooks: Duration.seconds(90),
  /** What a language model may take, three times. */
  runs: Duration.seconds(180),
  mail: Duration.seconds(60),
  tasks: Duration.seconds(60),
  /** A sweep ends before the next one starts. */
  sweep: Duration.seconds(55),
} as const;

/** Invocations at once that one queue may cause. */
const CONCURRENCY = { deliveries: 20, runs: 5, mails: 10, tasks: 5 } as const;

interface MailParts {
  readonly mail: HelpdeskMail;
  readonly inbound: QueueWithDlq;
  readonly events: QueueWithDlq;
}

export class HelpdeskStack extends Stack {
  readonly #stores: HelpdeskStores;
  readonly #settings: Settings;
  readonly #alarms: Alarms;
  readonly #queues: HelpdeskQueues;
  /** Absent where no domain is configured. */
  readonly #mail: MailParts | undefined;
  readonly #functions: Record<string, StageFunction> = {};

  constructor(scope: Construct, id: string, props: HelpdeskStackProps) {
    super(scope, id, { synthesizer: props.synthesizer, description: 'Millrace: the helpdesk' });
    this.#stores = props;
    this.#settings = props.settings;
    this.#alarms = new Alarms(this, 'HelpdeskAlarms', props.core.alarmTopic, props.settings);
    this.#queues = {
      deliveries: this.#queue('Deliveries', TIMEOUT.webhooks, Duration.minutes(20)),
      runs: this.#queue('RunWork', TIMEOUT.runs, Duration.minutes(15)),
      mails: this.#queue('MailWork', TIMEOUT.mail, Duration.minutes(15)),
      tasks: this.#queue('TaskWork', TIMEOUT.tasks, Duration.hours(1)),
    };
    this.#mail = this.#mailParts();
    this.#entrance();
    this.#workers();
    if (this.#mail !== undefined) this.#mailWorkers(this.#mail);
    // An emulator's logs wake nobody.
    this.#alarms.watchQuarantine(this.#functions);
    for (const [name, { queue }] of Object.entries(this.#queues))
      new CfnOutput(this, `Helpdesk${capitalized(name)}QueueUrl`, { value: queue.queueUrl });
    publishDeadLetterQueues(this, 'HelpdeskDeadLetterQueueUrls');
  }

  #entrance(): void {
    const { core, data } = this.#stores;
    const api = new HttpFunction(this, 'HelpdeskApi', {
      service: 'helpdesk/api',
      description: 'API of the helpdesk',
      timeout: Duration.seconds(29),
      memorySizeMb: API_MB,
      ...ownShare(this.#settings, 'helpdeskApiConcurrency'),
      accesses: [
        ...changing(this.#stores, this.#queues),
        ...listing(this.#stores),
        data.audit.items('Query'),
        ...core.tenancy(),
        core.rates.items('GetItem', 'PutItem', 'UpdateItem'),
        core.vault('seal'),
        core.keyUses(),
        sessions(core.sessionIssuer),
        pages(this.#settings),
        ...this.#answeringMail(),
        logging(this.#settings),
      ],
    });
    this.#alarms.watchUrl('Api', api);
    this.#functions.Api = api;
    new CfnOutput(this, 'HelpdeskApiUrl', { value: api.endpoint.url });
    // Said here, not by the dashboard's stack when it is there: see CoreStack.
    this.exportValue(api.endpoint.url);
  }

  #workers(): void {
    const { core } = this.#stores;
    const change = changing(this.#stores, this.#queues);
    const webhooks = this.#stage('Webhooks', 'Sends events to webhooks', TIMEOUT.webhooks, [
      ...change,
      core.vault('open'),
    ]);
    const runs = this.#stage(
      'Runs',
      'Drafts replies with a language model, as internal notes',
      TIMEOUT.runs,
      [...change, core.rates.items('GetItem', 'UpdateItem'), ...assistant(this.#settings)],
    );
    const tasks = this.#stage('Tasks', 'Erases contacts and old tickets, step by step', TIMEOUT.tasks, [
      ...change,
      ...erasing(this.#stores),
      ...(this.#mail === undefined ? [] : [this.#mail.mail.erasing()]),
    ]);
    runs.allowOwnMessages();
    tasks.allowOwnMessages();
    const sweep = this.#stage('Sweep', 'Finishes what was begun, and wakes snoozed tickets', TIMEOUT.sweep, [
      ...change,
      ...finding(this.#stores),
    ]);
    this.#alarms.watchMetric('HelpdeskWebhookDisabled', webhooks, {
      metric: 'webhook_disabled',
      alarmDescription: 'A webhook was disabled: its receiver is gone, or has failed for five days.',
    });
    this.#feed(webhooks, this.#queues.deliveries, CONCURRENCY.deliveries);
    this.#feed(runs, this.#queues.runs, CONCURRENCY.runs, 1);
    this.#feed(tasks, this.#queues.tasks, CONCURRENCY.tasks, 1);
    every(this, Duration.minutes(1), { name: 'HelpdeskSweep', stage: sweep, alarms: this.#alarms });
  }

  #mailParts(): MailParts | undefined {
    const { mailDomain: domain } = this.#settings;
    if (domain === undefined) return undefined;
    const inbound = this.#queue('InboundMail', TIMEOUT.mail, Duration.minutes(15));
    // It carries the addresses of customers: SES names them.
    const events = this.#queue('MailEvent', TIMEOUT.mail, Duration.minutes(15));
    const mail = new HelpdeskMail(this, 'HelpdeskMail', {
      domain,
      settings: this.#settings,
      inbound,
      events,
    });
    return { mail, inbound, events };
  }

  /** Of the API: it says under which addresses tickets are answered, and has mails taken in that were put aside. */
  #answeringMail(): readonly Access[] {
    if (this.#mail === undefined) return [];
    const { mail, inbound } = this.#mail;
    return [mail.domain(), inbound.sender(HELPDESK_ENV.inboundMailQueueUrl)];
  }

  #mailWorkers({ mail, inbound, events }: MailParts): void {
    const { core } = this.#stores;
    const change = changing(this.#stores, this.#queues);
    const mailOut = this.#stage('MailOut', 'Sends replies by e-mail, once each', TIMEOUT.mail, [
      ...change,
      core.vault('seal'),
      ...mail.sending(),
    ]);
    const mailIn = this.#stage('MailIn', 'Brings customers’ mails to their tickets', TIMEOUT.mail, [
      ...change,
      core.vault('seal'),
      ...mail.reading(),
    ]);
    const mailEvents = this.#stage('MailEvents', 'Notes what became of mails', TIMEOUT.mail, [
      ...change,
      core.merchants(),
    ]);
    this.#feed(mailOut, this.#queues.mails, CONCURRENCY.mails);
    this.#feed(mailIn, inbound, CONCURRENCY.mails, 5);
    this.#feed(mailEvents, events, CONCURRENCY.mails);
  }

  #queue(name: string, consumerTimeout: Duration, waitMax: Duration): QueueWithDlq {
    const queue = new QueueWithDlq(this, `Helpdesk${name}`, {
      consumerTimeout,
      httpsOnly: !this.#settings.ephemeral,
    });
    this.#alarms.watchQueue(name, queue, waitMax);
    return queue;
  }

  #stage(name: string, description: string, timeout: Duration, accesses: readonly Access[]): StageFunction {
    const stage = new StageFunction(this, `Helpdesk${name}`, {
      service: `helpdesk/${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`,
      description,
      timeout,
      memorySizeMb: STAGE_MB,
      accesses: [...accesses, logging(this.#settings)],
    });
    this.#watch(name, stage);
    return stage;
  }

  #watch(name: string, fn: StageFunction): void {
    this.#alarms.watchErrors(name, fn);
    this.#functions[name] = fn;
  }

  #feed(stage: LambdaFn, { queue }: QueueWithDlq, maxConcurrency: number, batchSize = 10): void {
    stage.addEventSource(
      new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }),
    );
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
