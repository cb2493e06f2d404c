// The helpdesk: its API, and the workers of what follows from a change of a ticket.
// Guarantees: a function holds exactly the permissions listed with it; every queue reports failures per message and is bounded
// in concurrency; nothing here runs while nobody writes, except the schedules.
import { CfnOutput, Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { HELPDESK_ENV } from '../../lib/helpdesk/domain/topology.ts';
import {
  changing,
  erasing,
  finding,
  type HelpdeskQueues,
  type HelpdeskStores,
  listing,
} from '../constructs/helpdesk/accesses.ts';
import { HelpdeskMail } from '../constructs/helpdesk/mail.ts';
import { assistant, pages, sessions } from '../constructs/setting-accesses.ts';
import type { Access, StageFunction } from '../constructs/stage-function.ts';
import { API_MB } from '../memory-sizes.ts';
import type { HelpdeskDataStack } from './helpdesk-data.ts';
import { ProductStack, type ProductStackProps } from './product-stack.ts';

export interface HelpdeskStackProps extends ProductStackProps {
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

/** Messages that an invocation takes at once. */
const MANY = { batchSize: 10 };
/** A message is a step of one run or job, and waits for no other. */
const STEP = { batchSize: 1 };

export class HelpdeskStack extends ProductStack {
  readonly #stores: HelpdeskStores;
  readonly #queues: HelpdeskQueues;
  /** Absent where no domain is configured. */
  readonly #mail: HelpdeskMail | undefined;

  constructor(scope: Construct, id: string, props: HelpdeskStackProps) {
    super(scope, id, props, {
      product: 'helpdesk',
      prefix: 'Helpdesk',
      description: 'Millrace: the helpdesk',
    });
    this.#stores = props;
    this.#queues = {
      deliveries: this.queue('Deliveries', TIMEOUT.webhooks),
      runs: this.queue('RunWork', TIMEOUT.runs),
      mails: this.queue('MailWork', TIMEOUT.mail),
      tasks: this.queue('TaskWork', TIMEOUT.tasks),
    };
    const { mailDomain } = this.settings;
    this.#mail = mailDomain === undefined ? undefined : this.#createMail(mailDomain);
    this.#entrance();
    const sweep = this.#workers();
    if (this.#mail !== undefined) this.#mailWorkers(this.#mail);
    this.tendsSources(sweep);
    this.finish({ ...this.#queues });
  }

  #entrance(): void {
    const { core, data } = this.#stores;
    const api = this.entrance('Api', {
      description: 'API of the helpdesk',
      timeout: Duration.seconds(29),
      memorySizeMb: API_MB,
      share: 'helpdeskApiConcurrency',
      accesses: [
        ...changing(this.#stores, this.#queues),
        ...listing(this.#stores),
        data.audit.items('Query'),
        ...core.tenancy(),
        core.rates.items('GetItem', 'PutItem', 'UpdateItem'),
        ...core.vault('seal'),
        core.keyUses(),
        sessions(core.sessionIssuer),
        pages(this.settings),
        ...this.#answeringMail(),
      ],
    });
    new CfnOutput(this, 'HelpdeskApiUrl', { value: api.endpoint.url });
    // Said here, not by the dashboard's stack when it is there: see CoreStack.
    this.exportValue(api.endpoint.url);
  }

  #workers(): StageFunction {
    const { core } = this.#stores;
    const change = changing(this.#stores, this.#queues);
    const webhooks = this.stage('Webhooks', 'Sends events to webhooks', TIMEOUT.webhooks, [
      ...change,
      ...core.vault('open'),
    ]);
    const runs = this.stage('Runs', 'Drafts replies with a language model, as internal notes', TIMEOUT.runs, [
      ...change,
      core.rates.items('GetItem', 'UpdateItem'),
      ...assistant(this.settings),
    ]);
    const tasks = this.stage('Tasks', 'Erases contacts and old tickets, step by step', TIMEOUT.tasks, [
      ...change,
      ...erasing(this.#stores),
      ...(this.#mail === undefined ? [] : [this.#mail.erasing()]),
    ]);
    runs.allowOwnMessages();
    tasks.allowOwnMessages();
    const sweep = this.stage('Sweep', 'Finishes what was begun, and wakes snoozed tickets', TIMEOUT.sweep, [
      ...change,
      ...finding(this.#stores),
    ]);
    this.alarms.countLines('ConnectionPaused', { webhooks }, { metric: 'webhook_disabled' });
    this.feedRarely('Deliveries', webhooks, this.#queues.deliveries, MANY, CONCURRENCY.deliveries);
    this.feedRarely('RunWork', runs, this.#queues.runs, STEP, CONCURRENCY.runs);
    this.feedRarely('TaskWork', tasks, this.#queues.tasks, STEP, CONCURRENCY.tasks);
    this.every(Duration.minutes(1), 'Sweep', sweep);
    return sweep;
  }

  #createMail(domain: string): HelpdeskMail {
    return new HelpdeskMail(this, 'HelpdeskMail', {
      domain,
      settings: this.settings,
      inbound: this.queue('InboundMail', TIMEOUT.mail),
      // It carries the addresses of customers: SES names them.
      events: this.queue('MailEvent', TIMEOUT.mail),
    });
  }

  /** Of the API: it says under which addresses tickets are answered, and has mails taken in that were put aside. */
  #answeringMail(): readonly Access[] {
    if (this.#mail === undefined) return [];
    return [this.#mail.domain(), this.#mail.inbound.sender(HELPDESK_ENV.inboundMailQueueUrl)];
  }

  #mailWorkers(mail: HelpdeskMail): void {
    const { core } = this.#stores;
    const change = changing(this.#stores, this.#queues);
    const mailOut = this.stage('MailOut', 'Sends replies by e-mail, once each', TIMEOUT.mail, [
      ...change,
      ...core.vault('seal'),
      ...mail.sending(),
    ]);
    const mailIn = this.stage('MailIn', 'Brings customers’ mails to their tickets', TIMEOUT.mail, [
      ...change,
      ...core.vault('seal'),
      ...mail.reading(),
    ]);
    const mailEvents = this.stage('MailEvents', 'Notes what became of mails', TIMEOUT.mail, [
      ...change,
      core.merchants(),
    ]);
    this.feedRarely('MailWork', mailOut, this.#queues.mails, MANY, CONCURRENCY.mails);
    this.feed(mailIn, mail.inbound, { batchSize: 5 }, CONCURRENCY.mails);
    this.feed(mailEvents, mail.events, MANY, CONCURRENCY.mails);
  }
}
