// What every product stands on and what must outlive any release: tenants and keys, rate windows, the key that wraps the
// merchants' data keys, the dashboard's users, the topic of alarms and the messages that were given up.
// Guarantees: knows no product. Its template is the same whichever products stand on it and whatever they use of it.
import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { CORE_ENV, SCANNED } from '../../lib/core/topology.ts';
import { Alarms } from '../constructs/alarms.ts';
import { DashboardUsers } from '../constructs/dashboard-users.ts';
import { DataTable, publishTables, textKey } from '../constructs/data-table.ts';
import { deadLetters } from '../constructs/queue-with-dlq.ts';
import { type Access, permission } from '../constructs/stage-function.ts';
import type { MillraceStackProps, SessionIssuer, Settings } from '../settings.ts';
import { parameterOf, SETTINGS_PARAMETER } from '../stack-names.ts';

/** Partition that the items of a merchant share which have none of their own: config-item.ts. */
const SHARED = 'M#*';

export interface CoreStackProps extends MillraceStackProps {
  /** Of the settings, for the next deployment. */
  readonly record?: string;
}

export class CoreStack extends Stack {
  readonly config: DataTable;
  readonly rates: DataTable;
  readonly vaultKey: Key;
  readonly alarmTopic: ITopic;
  /** Absent in an ephemeral deployment that names none: its API accepts API keys only. */
  readonly sessionIssuer: SessionIssuer | undefined;
  /** Where people of its own issuer type their password, and pages ask for tokens. */
  readonly signInUrl: string | undefined;

  readonly #users: DashboardUsers | undefined;
  readonly #ownPartitions: boolean;

  constructor(scope: Construct, id: string, props: CoreStackProps) {
    const { settings } = props;
    super(scope, id, {
      synthesizer: props.synthesizer,
      description: 'Millrace: tenants and keys, rates, vault key, dashboard users, alarm topic',
      terminationProtection: !settings.ephemeral,
    });
    this.#ownPartitions = settings.ownPartitions;
    const tables = new Construct(this, 'Tables');
    this.config = new DataTable(tables, 'Config', {
      settings,
      name: 'config',
      variable: CORE_ENV.configTable,
      partitionKey: textKey('pk'),
      sortKey: textKey('sk'),
      // Of jobs and plans that are over alone: no other item has such an attribute.
      timeToLiveAttribute: 'expires',
    });
    // Rate windows may vanish late: a reader never relies on the deletion of an expired row.
    this.rates = new DataTable(tables, 'Rates', {
      settings,
      name: 'rates',
      variable: CORE_ENV.ratesTable,
      partitionKey: textKey('pk'),
      timeToLiveAttribute: 'expires',
    });
    this.vaultKey = new Key(this, 'VaultKey', {
      description: "Wraps the data keys under which merchants' secrets and retained identity are encrypted",
      enableKeyRotation: true,
      // Said only where it is true: keys of before were made without the property.
      ...(settings.multiRegionKey ? { multiRegion: true } : {}),
      removalPolicy: settings.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    this.alarmTopic = this.#createAlarmTopic(settings);
    const dlq = deadLetters(this, 'DeadLetters', {
      httpsOnly: !settings.ephemeral,
      environment: settings.environment,
    });
    const alarms = new Alarms(this, 'SharedAlarms', this.alarmTopic, settings);
    alarms.watchEverything();
    alarms.watchDeadLetters(dlq);
    if (props.record !== undefined)
      new StringParameter(this, 'DeployedSettings', {
        parameterName: parameterOf(settings.environment, SETTINGS_PARAMETER),
        description: 'What Millrace was deployed from: scripts/deploy',
        stringValue: props.record,
      });
    this.#users = settings.sessionIssuer === undefined ? this.#createUsers(settings) : undefined;
    this.sessionIssuer = settings.sessionIssuer ?? this.#users?.sessionIssuer;
    this.signInUrl = this.#users?.signInUrl;
    // All that a product may import, said here and not by the product that imports it first: an export that went with its last
    // user could not be deployed, because core comes first and CloudFormation keeps what a deployed stack still imports.
    publishTables(this, { ConfigTable: this.config, RatesTable: this.rates });
    this.exportValue(this.vaultKey.keyArn);
    this.exportValue(this.alarmTopic.topicArn);
    new CfnOutput(this, 'VaultKeyArn', { value: this.vaultKey.keyArn });
    new CfnOutput(this, 'AlarmTopicArn', { value: this.alarmTopic.topicArn });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: dlq.queueUrl });
  }

  /** Profiles of merchants, and what else lies in the partition that a merchant's items share. */
  merchants(): Access {
    return onlyKeys(SHARED, this.config.items('GetItem'));
  }

  /** Items of that partition. */
  merchantItems(...actions: readonly ('PutItem' | 'UpdateItem' | 'DeleteItem')[]): Access {
    return onlyKeys(SHARED, this.config.items(...actions));
  }

  /**
   * To open what is sealed under a merchant's data key: read it and the wrapping key that it is under from the config table, and
   * unwrap the latter with the vault key. To seal takes making either when there is none yet, a data key in the shared partition:
   * data-keys.ts.
   */
  vault(purpose: 'seal' | 'open'): readonly Access[] {
    const places = [SHARED, 'DATAKEY#*', 'WRAP#*'];
    const reading = onlyKeys(places, this.config.items('GetItem'));
    if (purpose === 'open') return [reading, this.#wrapping('kms:Decrypt')];
    const making = onlyKeys(places, this.config.items('PutItem'));
    return [reading, this.#wrapping('kms:Decrypt', 'kms:GenerateDataKey'), making];
  }

  /** Connections and rules. To pause a connection takes writing where its merchant's routing lies. */
  routing(purpose: 'read' | 'pause'): readonly Access[] {
    const places = [SHARED, 'ROUTING#*'];
    const reading = onlyKeys(places, this.config.items('GetItem'));
    if (purpose === 'read') return [reading];
    const written = this.#ownPartitions ? 'ROUTING#*' : places;
    return [reading, onlyKeys(written, this.config.items('UpdateItem'))];
  }

  /** To find whose an API key is, and to note that it was used. */
  apiKeys(): readonly Access[] {
    return [onlyKeys('KEY#*', this.config.items('GetItem')), this.keyUses()];
  }

  /** What an API of a product does that is not about events: people, keys, the trail of both. */
  tenancy(): readonly Access[] {
    const partitions = [SHARED, 'TEAM#*', 'SUB#*', 'KEY#*'];
    return [
      onlyKeys(partitions, this.config.items('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem')),
      onlyKeys('USED#*', this.config.items('Query')),
      // Places of keys, and intents of the audit log.
      this.merchantItems('DeleteItem'),
    ];
  }

  /** To look at merchants and write down who did, and to ask the API in one's name. */
  lookedAtMerchants(): readonly Access[] {
    const { config } = this;
    return [
      onlyKeys(SHARED, config.items('GetItem', 'Query', 'PutItem')),
      onlyKeys(['TEAM#*', 'DATAKEY#*', 'WRAP#*'], config.items('GetItem')),
      onlyKeys('KEY#*', config.items('BatchGetItem', 'PutItem', 'DeleteItem')),
      this.#wrapping('kms:Decrypt'),
    ];
  }

  /** To make a merchant, its owner and its first keys, to suspend or remove one, and to write down who did. */
  newMerchants(): readonly Access[] {
    const { config } = this;
    return [
      onlyKeys(SHARED, config.items('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem')),
      onlyKeys(['TEAM#*', 'DATAKEY#*', 'WRAP#*'], config.items('GetItem', 'PutItem')),
      onlyKeys('KEY#*', config.items('BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem')),
      onlyKeys('SUB#*', config.items('Query', 'PutItem', 'DeleteItem')),
      // Platforms that are paused for all merchants, and connections of one that ends.
      onlyKeys('ROUTING#*', config.items('PutItem', 'UpdateItem')),
      onlyKeys(['DATAKEY#*', 'TASKS#*'], config.items('DeleteItem')),
      this.dayKeys('erase'),
      // Sealed again when the data key is replaced.
      onlyKeys('DAYKEY#*', config.items('UpdateItem')),
      this.#wrapping('kms:Decrypt', 'kms:GenerateDataKey'),
      ...(this.#users === undefined ? [] : [this.#users.inviting()]),
    ];
  }

  /**
   * To look at the merchants one after another. Of an item a scan hands out these attributes and no others: those of a profile, and
   * where it lies.
   */
  merchantPages(): readonly Access[] {
    const scanning = this.config.items('Scan');
    for (const statement of scanning.statements) {
      statement.addCondition('ForAllValues:StringEquals', { 'dynamodb:Attributes': [...SCANNED] });
      statement.addCondition('StringEquals', { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' });
    }
    return [
      scanning,
      onlyKeys('ROUTING#*', this.config.items('GetItem')),
      onlyKeys('TASKS#*', this.config.items('Query')),
    ];
  }

  #wrapping(...actions: readonly ('kms:Decrypt' | 'kms:GenerateDataKey')[]): Access {
    const { keyArn } = this.vaultKey;
    return permission(actions, [keyArn], { [CORE_ENV.vaultKeyArn]: keyArn });
  }

  /** To note when an API key was used. */
  keyUses(): Access {
    return onlyKeys('USED#*', this.config.items('GetItem', 'UpdateItem'));
  }

  /** The keys of merchants' days: to open with one, to make one before something is sealed, or to delete those that have ended. */
  dayKeys(purpose: 'open' | 'make' | 'erase'): Access {
    const items = {
      open: () => this.config.items('GetItem'),
      make: () => this.config.items('GetItem', 'PutItem'),
      erase: () => this.config.items('Query', 'DeleteItem'),
    };
    return onlyKeys('DAYKEY#*', items[purpose]());
  }

  /** Jobs of merchants: to carry them out, or to look after them and delete those that have expired. */
  tasks(purpose: 'work' | 'tend'): Access {
    const items =
      purpose === 'work'
        ? this.config.items('GetItem', 'PutItem')
        : this.config.items('GetItem', 'Query', 'DeleteItem');
    return onlyKeys('TASKS#*', items);
  }

  /** Where alarms of all products go. Only CloudWatch of this account may publish to it. */
  #createAlarmTopic({ ephemeral, alarmEmail, monthlyUsd }: Settings): ITopic {
    const topic = new Topic(this, 'Alarms', { displayName: 'Millrace alarms', enforceSSL: !ephemeral });
    // The topic's own policy takes the place of the default one, which let the account's alarms publish.
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    if (monthlyUsd > 0 && !ephemeral) this.#watchSpending(topic, monthlyUsd);
    return topic;
  }

  /** What AWS has billed the account, which is late by some hours, and what it expects of the month. */
  #watchSpending(topic: Topic, monthlyUsd: number): void {
    topic.grantPublish(
      new ServicePrincipal('budgets.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    new CfnBudget(this, 'Spending', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: monthlyUsd, unit: 'USD' } },
      notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
        subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
      })),
    });
  }

  #createUsers(settings: Settings): DashboardUsers | undefined {
    if (settings.ephemeral) return undefined;
    const users = new DashboardUsers(this, 'DashboardUsers', settings);
    const { sessionIssuer, signInUrl } = users;
    new CfnOutput(this, 'AuthIssuer', { value: sessionIssuer.issuer });
    new CfnOutput(this, 'AuthAudience', { value: sessionIssuer.audience });
    new CfnOutput(this, 'SignInUrl', { value: signInUrl });
    return users;
  }
}

/** Of the items the access is to, those in partitions of these names. */
export function onlyKeys(patterns: string | readonly string[], access: Access): Access {
  for (const statement of access.statements)
    statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [patterns].flat() });
  return access;
}
