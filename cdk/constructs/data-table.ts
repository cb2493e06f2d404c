// A table and what a function may do with it.
// Guarantees: point-in-time recovery, encrypted, and not deleted with its stack unless the deployment is ephemeral. Billed per
// request; where the settings provision it, every index scales by itself. A function receives the table's name in its
// environment together with the permission to use it.
import { CfnOutput, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  type CfnTable,
  type EnableScalingProps,
  type IScalableTableAttribute,
  ProjectionType,
  Table,
  TableEncryption,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { indexName, type Scaled, type ScaledUnits, type Warm } from '../capacity.ts';
import type { Settings } from '../settings.ts';
import { type Access, permission } from './stage-function.ts';

/** Keys only, and sparse where rows need not have its attributes. */
export interface DataTableIndex {
  readonly name: string;
  readonly partitionKey: Attribute;
  readonly sortKey: Attribute;
}

export interface DataTableProps {
  readonly settings: Pick<Settings, 'ephemeral' | 'capacity'>;
  /** What settings call it. */
  readonly name: string;
  /** Of the environment variable that carries its name to functions. */
  readonly variable: string;
  readonly partitionKey: Attribute;
  readonly sortKey?: Attribute;
  readonly indexes?: readonly DataTableIndex[];
  readonly timeToLiveAttribute?: string;
  /** What a function has to know that uses it, besides its name. */
  readonly environment?: Readonly<Record<string, string>>;
}

type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'Scan' | 'PutItem' | 'UpdateItem' | 'DeleteItem';

export const textKey = (name: string): Attribute => ({ name, type: AttributeType.STRING });
export const numberKey = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

export class DataTable extends Table {
  /** In settings, and those of its indexes. */
  readonly settingName: string;
  readonly indexNames: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: DataTableProps) {
    const { name, settings, partitionKey, sortKey, timeToLiveAttribute, indexes = [] } = props;
    const { ephemeral, capacity } = settings;
    const scaled = capacity.provisioned.get(name);
    super(scope, id, {
      partitionKey,
      ...(sortKey === undefined ? {} : { sortKey }),
      ...(timeToLiveAttribute === undefined ? {} : { timeToLiveAttribute }),
      billingMode: scaled === undefined ? BillingMode.PAY_PER_REQUEST : BillingMode.PROVISIONED,
      ...startAt(scaled),
      ...warmed(capacity.warm.get(name)),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.AWS_MANAGED,
      deletionProtection: !ephemeral,
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    this.settingName = name;
    this.indexNames = indexes.map((index) => index.name);
    this.#environment = { [props.variable]: this.tableName, ...props.environment };
    if (scaled !== undefined) {
      // Said, not left out as the library would: a table that was on demand must be told to change.
      (this.node.defaultChild as CfnTable).billingMode = BillingMode.PROVISIONED;
      scale(scaled, {
        read: (range) => this.autoScaleReadCapacity(range),
        write: (range) => this.autoScaleWriteCapacity(range),
      });
    }
    for (const index of indexes) this.#addIndex(index, settings);
  }

  /** Item operations on the table itself; indexes are asked for by name with `query`. */
  items(...actions: readonly TableAction[]): Access {
    return this.#access(actions, this.tableArn);
  }

  /** To see whether it deletes what has expired, and to switch that. */
  expiry(): Access {
    const actions = ['DescribeTimeToLive', 'UpdateTimeToLive'];
    return permission(
      actions.map((action) => `dynamodb:${action}`),
      [this.tableArn],
    );
  }

  query(index: string): Access {
    return this.#access(['Query'], `${this.tableArn}/index/${index}`);
  }

  #addIndex(index: DataTableIndex, { capacity }: Pick<Settings, 'capacity'>): void {
    const { name, partitionKey, sortKey } = index;
    const isProvisioned = capacity.provisioned.has(this.settingName);
    const scaled = isProvisioned ? capacity.provisioned.get(indexName(this.settingName, name)) : undefined;
    this.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey,
      sortKey,
      projectionType: ProjectionType.KEYS_ONLY,
      ...startAt(scaled),
      ...warmed(capacity.warm.get(indexName(this.settingName, name))),
    });
    if (scaled !== undefined)
      scale(scaled, {
        read: (range) => this.autoScaleGlobalSecondaryIndexReadCapacity(name, range),
        write: (range) => this.autoScaleGlobalSecondaryIndexWriteCapacity(name, range),
      });
  }

  #access(actions: readonly TableAction[], resource: string): Access {
    return permission(
      actions.map((action) => `dynamodb:${action}`),
      [resource],
      this.#environment,
    );
  }
}

/**
 * The name of each table as an output, and all of it that another stack may import. Said here and not by the stack that imports it
 * first: see CoreStack.
 */
export function publishTables(stack: Stack, tables: Readonly<Record<string, DataTable>>): void {
  for (const [output, { tableArn, tableName }] of Object.entries(tables)) {
    stack.exportValue(tableArn);
    stack.exportValue(tableName);
    new CfnOutput(stack, output, { value: tableName });
  }
}

/**
 * What CloudFormation sets when the table is made or becomes provisioned, or when the figure changes; auto scaling moves it
 * from there. The maximum: a deployment in the middle of traffic may then give too much for a quarter of an hour, never too
 * little.
 */
function startAt(scaled: Scaled | undefined) {
  return scaled === undefined ? {} : { readCapacity: scaled.read.max, writeCapacity: scaled.write.max };
}

function warmed(warm: Warm | undefined): { readonly warmThroughput?: WarmThroughput } {
  if (warm === undefined) return {};
  const { read, write } = warm;
  return {
    warmThroughput: {
      ...(read === undefined ? {} : { readUnitsPerSecond: read }),
      ...(write === undefined ? {} : { writeUnitsPerSecond: write }),
    },
  };
}

type Enable = (range: EnableScalingProps) => IScalableTableAttribute;

function scale({ read, write }: Scaled, enable: { readonly read: Enable; readonly write: Enable }): void {
  const follow = ({ min, max, target }: ScaledUnits, one: Enable): void =>
    one({ minCapacity: min, maxCapacity: max }).scaleOnUtilization({ targetUtilizationPercent: target });
  follow(read, enable.read);
  follow(write, enable.write);
}
