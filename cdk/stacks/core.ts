// What every product stands on and what must outlive any release: tenants and keys, rate windows, the key that wraps the
// merchants' data keys, the dashboard's users, the topic of alarms.
// Guarantees: knows no product. Its template is the same whichever products stand on it and whatever they use of it.
import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { CORE_ENV } from '../../lib/core/topology.ts';
import { AlarmTopic } from '../constructs/alarm-topic.ts';
import { DashboardUsers } from '../constructs/dashboard-users.ts';
import { DataTable, textKey } from '../constructs/data-table.ts';
import type { Access } from '../constructs/stage-function.ts';
import type { MillraceStackProps, SessionIssuer, Settings } from '../settings.ts';

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

  constructor(scope: Construct, id: string, props: MillraceStackProps) {
    const { settings } = props;
    super(scope, id, {
      synthesizer: props.synthesizer,
      description: 'Millrace: tenants and keys, rates, vault key, dashboard users, alarm topic',
      terminationProtection: !settings.ephemeral,
    });
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
      removalPolicy: settings.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    this.alarmTopic = new AlarmTopic(this, 'Alarms', settings);
    this.#users = settings.sessionIssuer === undefined ? this.#createUsers(settings) : undefined;
    this.sessionIssuer = settings.sessionIssuer ?? this.#users?.sessionIssuer;
    this.signInUrl = this.#users?.signInUrl;
    this.#exportAll();

    new CfnOutput(this, 'ConfigTable', { value: this.config.tableName });
    new CfnOutput(this, 'RatesTable', { value: this.rates.tableName });
    new CfnOutput(this, 'VaultKeyArn', { value: this.vaultKey.keyArn });
    new CfnOutput(this, 'AlarmTopicArn', { value: this.alarmTopic.topicArn });
  }

  /**
   * To open what is sealed under a merchant's data key: unwrap it with the vault key, having read it from the config table.
   * To seal takes making that key when there is none yet. Only items of merchants can be put, never API keys or memberships.
   */
  vault(purpose: 'seal' | 'open'): Access {
    const reading = this.config.items('GetItem');
    const making = purpose === 'seal' ? this.merchantItems('PutItem').statements : [];
    const wrapping =
      purpose === 'seal'
        ? this.#wrapping('kms:Decrypt', 'kms:GenerateDataKey')
        : this.#wrapping('kms:Decrypt');
    return {
      environment: { ...reading.environment, ...wrapping.environment },
      statements: [...reading.statements, ...wrapping.statements, ...making],
    };
  }

  /** Items of merchants in the config table, never API keys or memberships. */
  merchantItems(...actions: readonly ('PutItem' | 'UpdateItem' | 'DeleteItem')[]): Access {
    return onlyKeys('M#*', this.config.items(...actions));
  }

  /** To make a merchant, its owner and its first keys, and to write down who did. */
  newMerchants(): readonly Access[] {
    const { config } = this;
    return [
      onlyKeys('M#*', config.items('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem')),
      onlyKeys('KEY#*', config.items('BatchGetItem', 'PutItem')),
      onlyKeys('SUB#*', config.items('GetItem', 'PutItem')),
      this.#wrapping('kms:Decrypt', 'kms:GenerateDataKey'),
      ...(this.#users === undefined ? [] : [this.#users.inviting()]),
    ];
  }

  #wrapping(...actions: readonly ('kms:Decrypt' | 'kms:GenerateDataKey')[]): Access {
    return {
      environment: { [CORE_ENV.vaultKeyArn]: this.vaultKey.keyArn },
      statements: [new PolicyStatement({ actions: [...actions], resources: [this.vaultKey.keyArn] })],
    };
  }

  /** To note when an API key was used. */
  keyUses(): Access {
    return onlyKeys('USED#*', this.config.items('UpdateItem'));
  }

  /** The keys of merchants' days: to make one before something is sealed, or to delete those that have ended. */
  dayKeys(purpose: 'make' | 'erase'): Access {
    const items =
      purpose === 'make' ? this.config.items('PutItem') : this.config.items('Query', 'DeleteItem');
    return onlyKeys('DAYKEY#*', items);
  }

  /** Jobs of merchants: to carry them out, or to look after them and delete those that have expired. */
  tasks(purpose: 'work' | 'tend'): Access {
    const items =
      purpose === 'work' ? this.config.items('PutItem') : this.config.items('Query', 'DeleteItem');
    return onlyKeys('TASKS#*', items);
  }

  /**
   * All that a product may import, said here and not by whoever imports it first: an export that went with its last user could
   * not be deployed, because core comes first and CloudFormation keeps what a deployed stack still imports.
   */
  #exportAll(): void {
    for (const { tableArn, tableName } of [this.config, this.rates]) {
      this.exportValue(tableArn);
      this.exportValue(tableName);
    }
    this.exportValue(this.vaultKey.keyArn);
    this.exportValue(this.alarmTopic.topicArn);
  }

  #createUsers(settings: Settings): DashboardUsers | undefined {
    if (settings.ephemeral) return undefined;
    const users = new DashboardUsers(this, 'DashboardUsers', settings.signInPages);
    const { sessionIssuer, signInUrl } = users;
    new CfnOutput(this, 'AuthIssuer', { value: sessionIssuer.issuer });
    new CfnOutput(this, 'AuthAudience', { value: sessionIssuer.audience });
    new CfnOutput(this, 'SignInUrl', { value: signInUrl });
    return users;
  }
}

/** Of the items the access is to, those in partitions of these names. */
export function onlyKeys(pattern: string, access: Access): Access {
  for (const statement of access.statements)
    statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [pattern] });
  return access;
}
