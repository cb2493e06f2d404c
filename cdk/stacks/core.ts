// What must outlive any release: the tables, the key that wraps the merchants' data keys, the dashboard's users.
import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { ENV } from '../../lib/events/domain/topology.ts';
import { DashboardUsers } from '../constructs/dashboard-users.ts';
import type { Access } from '../constructs/stage-function.ts';
import { Tables } from '../constructs/tables.ts';
import type { MillraceStackProps, SessionIssuer, Settings } from '../settings.ts';

export class CoreStack extends Stack {
  readonly tables: Tables;
  readonly vaultKey: Key;
  /** Absent in an ephemeral deployment that names none: its API accepts API keys only. */
  readonly sessionIssuer: SessionIssuer | undefined;

  constructor(scope: Construct, id: string, props: MillraceStackProps) {
    const { settings } = props;
    super(scope, id, {
      synthesizer: props.synthesizer,
      description: 'Millrace: tables, vault key, dashboard users',
      terminationProtection: !settings.ephemeral,
    });
    this.tables = new Tables(this, 'Tables', { ephemeral: settings.ephemeral });
    this.vaultKey = new Key(this, 'VaultKey', {
      description: "Wraps the data keys under which merchants' secrets and retained identity are encrypted",
      enableKeyRotation: true,
      removalPolicy: settings.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    this.sessionIssuer = settings.sessionIssuer ?? this.#createUsers(settings);

    new CfnOutput(this, 'EventsTable', { value: this.tables.events.tableName });
    new CfnOutput(this, 'BatchesTable', { value: this.tables.batches.tableName });
    new CfnOutput(this, 'AnalyticsTable', { value: this.tables.analytics.tableName });
    new CfnOutput(this, 'ConfigTable', { value: this.tables.config.tableName });
    new CfnOutput(this, 'RatesTable', { value: this.tables.rates.tableName });
    new CfnOutput(this, 'VaultKeyArn', { value: this.vaultKey.keyArn });
  }

  /**
   * To open what is sealed under a merchant's data key: unwrap it with the vault key, having read it from the config table.
   * To seal takes making that key when there is none yet. Only items of merchants can be put, never API keys or memberships.
   */
  vault(purpose: 'seal' | 'open'): Access {
    const { config } = this.tables;
    const wrapping = new PolicyStatement({ actions: ['kms:Decrypt'], resources: [this.vaultKey.keyArn] });
    const { environment, statements } = this.tables.items(config, 'GetItem');
    const access = {
      environment: { ...environment, [ENV.vaultKeyArn]: this.vaultKey.keyArn },
      statements: [...statements, wrapping],
    };
    if (purpose === 'open') return access;
    wrapping.addActions('kms:GenerateDataKey');
    const creation = new PolicyStatement({
      actions: ['dynamodb:PutItem'],
      resources: [config.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['M#*'] } },
    });
    return { ...access, statements: [...access.statements, creation] };
  }

  /** The keys of merchants' days: to make one before something is sealed, or to delete those that have ended. */
  dayKeys(purpose: 'make' | 'erase'): Access {
    const { config } = this.tables;
    const actions = purpose === 'make' ? ['PutItem'] : ['Query', 'DeleteItem'];
    const statement = new PolicyStatement({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [config.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DAYKEY#*'] } },
    });
    return { environment: this.tables.items(config, 'GetItem').environment, statements: [statement] };
  }

  #createUsers(settings: Settings): SessionIssuer | undefined {
    if (settings.ephemeral) return undefined;
    const { sessionIssuer } = new DashboardUsers(this, 'DashboardUsers');
    new CfnOutput(this, 'AuthIssuer', { value: sessionIssuer.issuer });
    new CfnOutput(this, 'AuthAudience', { value: sessionIssuer.audience });
    return sessionIssuer;
  }
}
