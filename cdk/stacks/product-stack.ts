// What the stacks of both products have in common: queues, the functions that work them, their schedules, and what is watched.
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource, type SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { CORE_ENV } from '../../lib/core/topology.ts';
import { Alarms, SHARED_FIGURES } from '../constructs/alarms.ts';
import { GradualRelease } from '../constructs/gradual-release.ts';
import {
  HttpFunction,
  type HttpFunctionProps,
  ownShare,
  type PublicConcurrency,
} from '../constructs/http-function.ts';
import { QueueWithDlq, sends } from '../constructs/queue-with-dlq.ts';
import { levels, logging } from '../constructs/setting-accesses.ts';
import { type Access, permission, StageFunction } from '../constructs/stage-function.ts';
import { stageMb } from '../memory-sizes.ts';
import { isBehindAlias, type MillraceStackProps, type Settings } from '../settings.ts';
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

interface Entrance extends Omit<HttpFunctionProps, 'service' | 'reservedConcurrency' | 'ephemeral'> {
  readonly share: PublicConcurrency;
}

export type Batches = Pick<SqsEventSourceProps, 'batchSize' | 'maxBatchingWindow'>;

export abstract class ProductStack extends Stack {
  protected readonly settings: Settings;
  protected readonly alarms: Alarms;
  readonly #product: Product;
  readonly #entrances: Record<string, HttpFunction> = {};
  readonly #stages: Record<string, StageFunction> = {};
  /** Name of a queue → what polls it, where that may rest. */
  readonly #resting = new Map<string, { readonly queue: Queue; readonly source: SqsEventSource }>();

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

  protected queue(name: string, consumerTimeout: Duration): QueueWithDlq {
    const { ephemeral, environment } = this.settings;
    const httpsOnly = !ephemeral;
    return new QueueWithDlq(this, this.#idOf(name), { consumerTimeout, httpsOnly, environment });
  }

  /** A function that the world can call. */
  protected entrance(name: string, { share, accesses, ...props }: Entrance): HttpFunction {
    const entrance = new HttpFunction(this, this.#idOf(name), {
      ...props,
      ...ownShare(this.settings, share),
      service: this.#serviceOf(name),
      ephemeral: this.settings.ephemeral,
      behindAlias: isBehindAlias(this.settings),
      accesses: [...accesses, ...logging(this.settings)],
    });
    this.#entrances[name] = entrance;
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
      ephemeral: this.settings.ephemeral,
      behindAlias: isBehindAlias(this.settings),
      description,
      timeout,
      memorySizeMb: stageMb(name),
      accesses: [...accesses, ...(name === 'Sweep' ? [levels(this.settings)] : logging(this.settings))],
    });
    this.#stages[name] = stage;
    return stage;
  }

  protected feed(
    stage: StageFunction,
    { queue }: QueueWithDlq,
    batches: Batches,
    maxConcurrency: number,
  ): SqsEventSource {
    const source = new SqsEventSource(queue, { ...batches, maxConcurrency, reportBatchItemFailures: true });
    stage.addEventSource(source);
    return source;
  }

  /**
   * For a queue that is empty for days: its source may rest, and the sweep switches it on and off. The template says nothing of
   * that: it makes a source that is on, and a deployment changes nothing about it but what changed in the template.
   */
  protected feedRarely(
    name: string,
    stage: StageFunction,
    queue: QueueWithDlq,
    batches: Batches,
    maxConcurrency: number,
  ): void {
    this.#resting.set(name, {
      queue: queue.queue,
      source: this.feed(stage, queue, batches, maxConcurrency),
    });
  }

  /** For the sweep, once all sources are there: to see how many messages wait, to send some, and to switch these sources and no others. */
  protected tendsSources(sweep: StageFunction): void {
    const all = [...this.#resting].map(([name, one]) => ({ name, ...one }));
    const ids = Object.fromEntries(all.map(({ name, source }) => [name, source.eventSourceMappingId]));
    // MiniStack, which checks permissions, takes reading one source for listing them all.
    const listing = this.settings.ephemeral ? ['lambda:ListEventSourceMappings'] : [];
    sweep.give(
      permission(
        ['lambda:GetEventSourceMapping', 'lambda:UpdateEventSourceMapping', ...listing],
        all.map(({ source }) => source.eventSourceMappingArn),
        { [CORE_ENV.eventSources]: this.toJsonString(ids) },
      ),
    );
    // In one statement: each platform has a queue, and the policy of a role may not have 10,240 characters.
    sweep.give(
      permission(
        ['sqs:GetQueueAttributes', ...sends(this.settings.ephemeral)],
        all.map(({ queue }) => queue.queueArn),
      ),
    );
  }

  /** Runs a stage again and again, with an alarm for the day it does not. */
  protected every(interval: Duration, name: string, stage: StageFunction): void {
    new Rule(this, `${this.#idOf(name)}Schedule`, {
      schedule: Schedule.rate(interval),
      // The next turn does what this one missed; a late repetition would only run beside it.
      targets: [new LambdaFunction(stage.live, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    this.alarms.watchSilence(this.#idOf(name), stage, Duration.minutes(interval.toMinutes() * 5));
  }

  /** Once everything is there: what log lines are counted, how releases take over, and where the queues are. */
  protected finish(queues: Readonly<Record<string, QueueWithDlq>>): void {
    const { Answers5xx, Quarantine, Waiting } = SHARED_FIGURES;
    this.alarms.countLines('Answers5xx', this.#entrances, Answers5xx);
    this.alarms.countLines('Quarantine', { ...this.#entrances, ...this.#stages }, Quarantine);
    this.alarms.countLines('Waiting', this.#stages, Waiting);
    const functions = [...Object.values(this.#entrances), ...Object.values(this.#stages)];
    new GradualRelease(this, this.#idOf('Release'), this.settings, functions, this.alarms);
    for (const [name, { queue }] of Object.entries(queues))
      new CfnOutput(this, this.#idOf(`${name.charAt(0).toUpperCase()}${name.slice(1)}QueueUrl`), {
        value: queue.queueUrl,
      });
  }

  #idOf(name: string): string {
    return `${this.#product.prefix}${name}`;
  }

  #serviceOf(name: string): string {
    return `${this.#product.product}/${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`;
  }
}
