// Where events and their counters rest. Apart from the queues and functions of events.ts, so that those can be rolled back,
// rebuilt or deleted without a table in the same change: a new index takes hours to fill, and a function whose deployment
// fails must not take it along.
import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { rowsKeptMs } from '../../lib/events/domain/event/row-expiry.ts';
import { ENV, INDEX } from '../../lib/events/domain/topology.ts';
import {
  DataTable,
  type DataTableIndex,
  numberKey,
  publishTables,
  textKey,
} from '../constructs/data-table.ts';
import { type Access, permission } from '../constructs/stage-function.ts';
import type { MillraceStackProps } from '../settings.ts';

const BY_TIME: DataTableIndex = {
  name: INDEX.eventsByTime,
  partitionKey: textKey('tp'),
  sortKey: textKey('ts'),
};
/** Rows and outcomes of batches are due by group and time, slots by time alone. */
const DUE_ROWS: DataTableIndex = { name: INDEX.due, partitionKey: textKey('dp'), sortKey: textKey('da') };
const DUE_SLOTS: DataTableIndex = { ...DUE_ROWS, sortKey: numberKey('da') };

export class EventsDataStack extends Stack {
  readonly events: DataTable;
  readonly batches: DataTable;
  readonly analytics: DataTable;
  readonly #pages: Bucket;

  constructor(scope: Construct, id: string, { settings, synthesizer }: MillraceStackProps) {
    super(scope, id, {
      synthesizer,
      description: 'Millrace: tables of events and their counters',
      terminationProtection: !settings.ephemeral,
    });
    // There whatever `pages` says: what went there stays readable.
    this.#pages = new Bucket(this, 'Pages', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: !settings.ephemeral,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: settings.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      // As rows would have in their table.
      lifecycleRules: [{ expiration: Duration.millis(rowsKeptMs(settings.retentionDaysMax)) }],
    });
    const tables = new Construct(this, 'Tables');
    const rows = { settings, partitionKey: textKey('pk'), sortKey: textKey('sk') };
    const expiring = {
      ...rows,
      timeToLiveAttribute: 'expires',
      environment: {
        [ENV.retentionDaysMax]: String(settings.retentionDaysMax),
        ...(settings.pages ? {} : { [ENV.pages]: 'off' }),
      },
    };
    this.events = new DataTable(tables, 'Events', {
      ...expiring,
      name: 'events',
      variable: ENV.eventsTable,
      indexes: [BY_TIME, DUE_ROWS],
    });
    this.batches = new DataTable(tables, 'Batches', {
      ...expiring,
      name: 'batches',
      variable: ENV.batchesTable,
      indexes: [DUE_ROWS],
    });
    this.analytics = new DataTable(tables, 'Analytics', {
      ...rows,
      name: 'analytics',
      variable: ENV.analyticsTable,
      // Of clicks, claims of orders and counts of refusals alone: counters of slots have no such attribute.
      timeToLiveAttribute: 'expires',
      indexes: [DUE_SLOTS],
    });
    publishTables(this, {
      EventsTable: this.events,
      BatchesTable: this.batches,
      AnalyticsTable: this.analytics,
    });
    for (const name of [this.#pages.bucketArn, this.#pages.bucketName]) this.exportValue(name);
    new CfnOutput(this, 'PagesBucket', { value: this.#pages.bucketName });
  }

  /** Pages of old events. Without leave to list, S3 answers for an object that is not there as for one that is forbidden. */
  pages(...actions: readonly ('GetObject' | 'PutObject' | 'DeleteObject')[]): readonly Access[] {
    return [
      permission(
        actions.map((action) => `s3:${action}`),
        [this.#pages.arnForObjects('events/*')],
        { [ENV.pagesBucket]: this.#pages.bucketName },
      ),
      permission(['s3:ListBucket'], [this.#pages.bucketArn]),
    ];
  }
}
