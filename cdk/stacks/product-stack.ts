// What the stacks of both products have in common: queues with alarms, the functions that work them, and their schedules.
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource, type SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { Alarms } from '../constructs/alarms.ts';
import {
  HttpFunction,
  type HttpFunctionProps,
  ownShare,
  type PublicConcurrency,
} from '../constructs/http-function.ts';
import { QueueWithDlq } from '../constructs/queue-with-dlq.ts';
import { logging } from '../constructs/setting-accesses.ts';
import { type Access, StageFunction } from '../constructs/stage-function.ts';
import { stageMb } from '../memory-sizes.ts';
import type { MillraceStackProps, Settings } from '../settings.ts';
import type { CoreStack } from './core.ts';

export interface ProductStackProps extends MillraceStackProps {
  readonly core: CoreStack;
}

interface Product {
  /** Folder under services/. */
  readonly product: 'events' | 'helpdesk';
  /** Of its constructs and outputs, so that two products have no id in common. */
  readonly prefix: '' | 'Helpdesk';
  readonly description: string;
}

interface Entrance extends Omit<HttpFunctionProps, 'service' | 'reservedConcurrency'> {
  readonly share: PublicConcurrency;
}

export type Batches = Pick<SqsEventSourceProps, 'batchSize' | 'maxBatchingWindow'>;

export abstract class ProductStack extends Stack {
  protected readonly settings: Settings;
  protected readonly alarms: Alarms;
  readonly #product: Product;
  readonly #functions: Record<string, StageFunction> = {};

  constructor(
    scope: Construct,
    id: string,
    { core, settings, synthesizer }: ProductStackProps,
    product: Product,
  ) {
    super(scope, id, { synthesizer, description: product.description });
    this.settings = settings;
    this.#product = product;
    this.alarms = new Alarms(this, `${product.prefix}Alarms`, core.alarmTopic, settings);
  }

  protected queue(name: string, consumerTimeout: Duration, waitMax: Duration): QueueWithDlq {
    const httpsOnly = !this.settings.ephemeral;
    const queue = new QueueWithDlq(this, this.#idOf(name), { consumerTimeout, httpsOnly });
    this.alarms.watchQueue(name, queue, waitMax);
    return queue;
  }

  /** A function that the world can call. */
  protected entrance(name: string, { share, accesses, ...props }: Entrance): HttpFunction {
    const entrance = new HttpFunction(this, this.#idOf(name), {
      ...props,
      ...ownShare(this.settings, share),
      service: this.#serviceOf(name),
      accesses: [...accesses, logging(this.settings)],
    });
    this.alarms.watchUrl(name, entrance);
    this.#functions[name] = entrance;
    return entrance;
  }

  /** A function that works a queue, or follows the clock. */
  protected stage(
    name: string,
    description: string,
    timeout: Duration,
    accesses: readonly Access[],
  ): StageFunction {
    const stage = new StageFunction(this, this.#idOf(name), {
      service: this.#serviceOf(name),
      description,
      timeout,
      memorySizeMb: stageMb(name),
      accesses: [...accesses, logging(this.settings)],
    });
    this.alarms.watchErrors(name, stage);
    this.#functions[name] = stage;
    return stage;
  }

  protected feed(
    stage: StageFunction,
    { queue }: QueueWithDlq,
    batches: Batches,
    maxConcurrency: number,
  ): void {
    stage.addEventSource(
      new SqsEventSource(queue, { ...batches, maxConcurrency, reportBatchItemFailures: true }),
    );
  }

  /** Runs a stage again and again, with an alarm for the day it does not. */
  protected every(interval: Duration, name: string, stage: StageFunction): void {
    new Rule(this, `${this.#idOf(name)}Schedule`, {
      schedule: Schedule.rate(interval),
      // The next turn does what this one missed; a late repetition would only run beside it.
      targets: [new LambdaFunction(stage, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    this.alarms.watchSilence(this.#idOf(name), stage, Duration.minutes(interval.toMinutes() * 5));
  }

  /** Once everything is there: the alarm for what cannot be read, and where the queues are. */
  protected finish(queues: Readonly<Record<string, QueueWithDlq>>): void {
    this.alarms.watchQuarantine(this.#functions);
    for (const [name, { queue }] of Object.entries(queues))
      new CfnOutput(this, this.#idOf(`${name.charAt(0).toUpperCase()}${name.slice(1)}QueueUrl`), {
        value: queue.queueUrl,
      });
    const all = this.node.findAll().filter((node) => node instanceof QueueWithDlq);
    const urls = Object.fromEntries(all.map(({ node, dlq }) => [node.id, dlq.queueUrl]));
    new CfnOutput(this, this.#idOf('DeadLetterQueueUrls'), { value: this.toJsonString(urls) });
  }

  #idOf(name: string): string {
    return `${this.#product.prefix}${name}`;
  }

  #serviceOf(name: string): string {
    return `${this.#product.product}/${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`;
  }
}
