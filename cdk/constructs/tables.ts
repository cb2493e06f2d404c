// The tables and what a function may do with them.
// Guarantees: billed per request, point-in-time recovery, encrypted, and not deleted with their stack unless the
// deployment is ephemeral. A function receives a table's name in its environment together with the permission to use it.
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ENV, INDEX } from '../../lib/events/domain/topology.ts';
import type { Access } from './stage-function.ts';

export interface TablesProps {
  readonly ephemeral: boolean;
}

type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'Scan' | 'PutItem' | 'UpdateItem' | 'DeleteItem';

export class Tables extends Construct {
  readonly events: Table;
  readonly batches: Table;
  readonly analytics: Table;
  readonly config: Table;
  readonly rates: Table;
  readonly #environmentNames: ReadonlyMap<Table, string>;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const protection = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.AWS_MANAGED,
      deletionProtection: !props.ephemeral,
      removalPolicy: props.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    };
    const text = (name: string) => ({ name, type: AttributeType.STRING });
    const rows = { partitionKey: text('pk'), sortKey: text('sk'), ...protection };
    this.events = new Table(this, 'Events', rows);
    this.batches = new Table(this, 'Batches', rows);
    this.analytics = new Table(this, 'Analytics', rows);
    this.config = new Table(this, 'Config', rows);
    // Rate windows may vanish late: a reader never relies on the deletion of an expired row.
    this.rates = new Table(this, 'Rates', {
      partitionKey: text('pk'),
      timeToLiveAttribute: 'expires',
      ...protection,
    });
    this.events.addGlobalSecondaryIndex({
      indexName: INDEX.eventsByTime,
      partitionKey: text('tp'),
      sortKey: text('ts'),
      projectionType: ProjectionType.KEYS_ONLY,
    });
    for (const table of [this.events, this.batches, this.analytics]) {
      table.addGlobalSecondaryIndex({
        indexName: INDEX.due,
        partitionKey: text('dp'),
        sortKey: { name: 'da', type: AttributeType.NUMBER },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
    this.#environmentNames = new Map([
      [this.events, ENV.eventsTable],
      [this.batches, ENV.batchesTable],
      [this.analytics, ENV.analyticsTable],
      [this.config, ENV.configTable],
      [this.rates, ENV.ratesTable],
    ]);
  }

  /** Item operations on the table itself; indexes are asked for by name with `query`. */
  items(table: Table, ...actions: readonly TableAction[]): Access {
    return this.#access(table, actions, table.tableArn);
  }

  /** Items of merchants in the config table, never API keys or memberships. */
  merchantItems(...actions: readonly TableAction[]): Access {
    const access = this.items(this.config, ...actions);
    for (const statement of access.statements)
      statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': ['M#*'] });
    return access;
  }

  query(table: Table, index: string): Access {
    return this.#access(table, ['Query'], `${table.tableArn}/index/${index}`);
  }

  #access(table: Table, actions: readonly TableAction[], resource: string): Access {
    const name = this.#environmentNames.get(table);
    if (name === undefined) throw new Error(`${table.node.path} is not one of these tables.`);
    return {
      environment: { [name]: table.tableName },
      statements: [
        new PolicyStatement({
          actions: actions.map((action) => `dynamodb:${action}`),
          resources: [resource],
        }),
      ],
    };
  }
}
