// Tables, functions and stacks of a deployment, asked with the operator's own credentials.
import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DescribeStackResourceDriftsCommand,
  DetectStackDriftCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  CreateBackupCommand,
  DeleteTableCommand,
  DescribeBackupCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  paginateScan,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { awsAccount } from '../../deploy/aws-account.ts';
import { asked, orElse } from '../aws-problem.ts';
import type { Recovery } from './recovery.ts';

/** Of a scan: as many at once. */
const SEGMENTS = 8;
/** Of a table that was made just now. */
const NOT_READY = 'ContinuousBackupsUnavailableException';
const DRIFT_EVERY_MS = 2_000;

/** `pause`: while CloudFormation looks for drift. */
export function awsRecovery(pause: (ms: number) => Promise<unknown>): Recovery {
  const dynamodb = new DynamoDBClient({ maxAttempts: 5 });
  const lambda = new LambdaClient({ maxAttempts: 5 });
  const cloudformation = new CloudFormationClient({ maxAttempts: 5 });
  const sqs = createSqsClient();
  const { identity, parameter, putParameter, deleteParameter } = awsAccount;
  return {
    ...{ identity, parameter, putParameter, deleteParameter },
    ...ofFunctions(lambda),
    ...ofTables(dynamodb),
    ...copies(dynamodb),
    ...afterwards(dynamodb),
    ...ofStacks(cloudformation, pause),
    purge: (url) =>
      asked(`the queue ${url.split('/').at(-1)} was not purged`, async () => {
        await orElse(sqs.send(new PurgeQueueCommand({ QueueUrl: url })), 'PurgeQueueInProgress', null);
      }),
  };
}

const ofFunctions = (lambda: LambdaClient): Pick<Recovery, 'concurrency' | 'setConcurrency'> => ({
  concurrency: (FunctionName) =>
    asked(`the concurrency of ${FunctionName} was not read`, async () => {
      const found = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
      return found.ReservedConcurrentExecutions ?? null;
    }),
  setConcurrency: (FunctionName, reserved) =>
    asked(`the concurrency of ${FunctionName} was not changed`, async () => {
      if (reserved === null) await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
      else
        await lambda.send(
          new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: reserved }),
        );
    }),
});

const ofTables = (
  db: DynamoDBClient,
): Pick<Recovery, 'table' | 'settings' | 'window' | 'countItems' | 'deleteTable' | 'protect'> => ({
  table: (TableName) =>
    asked(`the table ${TableName} was not looked at`, async () => {
      const looking = db.send(new DescribeTableCommand({ TableName }));
      const { Table: found } = await orElse(looking, 'ResourceNotFoundException', { Table: undefined });
      if (found === undefined) return null;
      return {
        id: found.TableId ?? '',
        arn: found.TableArn ?? '',
        status: found.TableStatus ?? '',
        isProtected: found.DeletionProtectionEnabled === true,
        isProvisioned: found.BillingModeSummary?.BillingMode !== 'PAY_PER_REQUEST',
      };
    }),
  settings: ({ arn }, TableName) =>
    asked(`the settings of ${TableName} were not read`, async () => {
      const { TimeToLiveDescription: expiry } = await db.send(new DescribeTimeToLiveCommand({ TableName }));
      const { Tags: tags = [] } = await db.send(new ListTagsOfResourceCommand({ ResourceArn: arn }));
      const isOn = expiry?.TimeToLiveStatus === 'ENABLED' || expiry?.TimeToLiveStatus === 'ENABLING';
      // Those of CloudFormation cannot be given.
      const own = tags.flatMap(({ Key, Value = '' }) =>
        Key === undefined || Key.startsWith('aws:') ? [] : [[Key, Value] as const],
      );
      return { expiry: isOn ? (expiry.AttributeName ?? null) : null, tags: Object.fromEntries(own) };
    }),
  window: (TableName) =>
    asked(`how far ${TableName} can go back was not read`, async () => {
      const found = await db.send(new DescribeContinuousBackupsCommand({ TableName }));
      const recovery = found.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      const { EarliestRestorableDateTime: from, LatestRestorableDateTime: to } = recovery ?? {};
      if (from === undefined || to === undefined) return null;
      const days = recovery?.RecoveryPeriodInDays ?? null;
      return { fromMs: from.getTime(), toMs: to.getTime(), days };
    }),
  countItems: (TableName, onProgress) =>
    asked(`the items of ${TableName} were not counted`, async () => {
      let items = 0;
      let pages = 0;
      const countSegment = async (Segment: number): Promise<void> => {
        const scan = { TableName, Select: 'COUNT', Segment, TotalSegments: SEGMENTS } as const;
        for await (const { Count = 0 } of paginateScan({ client: db }, scan)) {
          items += Count;
          pages += 1;
          if (pages % 1_000 === 0) onProgress(items);
        }
      };
      await Promise.all(Array.from({ length: SEGMENTS }, (_, segment) => countSegment(segment)));
      return items;
    }),
  deleteTable: (TableName) =>
    asked(`the table ${TableName} was not deleted`, async () => {
      await db.send(new DeleteTableCommand({ TableName }));
    }),
  protect: (TableName, DeletionProtectionEnabled) =>
    asked(`the protection of ${TableName} from deletion was not changed`, async () => {
      await db.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled }));
    }),
});

const copies = (
  db: DynamoDBClient,
): Pick<Recovery, 'restoreToTime' | 'backUp' | 'backupStatus' | 'restoreBackup'> => ({
  restoreToTime: (SourceTableName, TargetTableName, atMs) =>
    asked(`the table ${SourceTableName} was not restored beside itself`, async () => {
      const RestoreDateTime = new Date(atMs);
      await db.send(
        new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime }),
      );
    }),
  backUp: (TableName, BackupName) =>
    asked(`the table ${TableName} was not backed up`, async () => {
      const backingUp = db.send(new CreateBackupCommand({ TableName, BackupName }));
      const { BackupDetails } = await orElse(backingUp, NOT_READY, { BackupDetails: undefined });
      return BackupDetails?.BackupArn ?? null;
    }),
  backupStatus: (BackupArn) =>
    asked(`the backup ${BackupArn} was not looked at`, async () => {
      const { BackupDescription: found } = await db.send(new DescribeBackupCommand({ BackupArn }));
      return found?.BackupDetails?.BackupStatus ?? '';
    }),
  restoreBackup: (BackupArn, TargetTableName) =>
    asked(`the table ${TargetTableName} was not restored from ${BackupArn}`, async () => {
      await db.send(new RestoreTableFromBackupCommand({ BackupArn, TargetTableName }));
    }),
});

const afterwards = (db: DynamoDBClient): Pick<Recovery, 'recoverToTime' | 'tag' | 'expire'> => ({
  recoverToTime: (TableName, days) =>
    asked(`point-in-time recovery of ${TableName} was not switched on`, async () => {
      const PointInTimeRecoverySpecification = {
        PointInTimeRecoveryEnabled: true,
        ...(days === null ? {} : { RecoveryPeriodInDays: days }),
      };
      const switching = db
        .send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }))
        .then(() => true);
      return await orElse(switching, NOT_READY, false);
    }),
  tag: (ResourceArn, tags) =>
    asked('the restored table was not tagged', async () => {
      const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      await db.send(new TagResourceCommand({ ResourceArn, Tags }));
    }),
  expire: (TableName, AttributeName) =>
    asked(`expiry of ${TableName} was not switched on`, async () => {
      const TimeToLiveSpecification = { Enabled: true, AttributeName };
      await db.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    }),
});

const ofStacks = (
  client: CloudFormationClient,
  pause: (ms: number) => Promise<unknown>,
): Pick<Recovery, 'resources' | 'drift'> => ({
  resources: (StackName) =>
    asked(`the resources of ${StackName} were not listed`, async () => {
      const found: { type: string; id: string; name: string }[] = [];
      for await (const { StackResourceSummaries: page = [] } of paginateListStackResources(
        { client },
        { StackName },
      ))
        for (const {
          ResourceType: type = '',
          LogicalResourceId: id = '',
          PhysicalResourceId: name = '',
        } of page)
          found.push({ type, id, name });
      return found;
    }),
  drift: (StackName, id) =>
    asked(`what differs from ${StackName}`, async () => {
      const of = { StackName, LogicalResourceIds: [id] };
      const { StackDriftDetectionId } = await client.send(new DetectStackDriftCommand(of));
      const state = async () =>
        (await client.send(new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId })))
          .DetectionStatus;
      while ((await state()) === 'DETECTION_IN_PROGRESS') await pause(DRIFT_EVERY_MS);
      const { StackResourceDrifts: drifts = [] } = await client.send(
        new DescribeStackResourceDriftsCommand({ StackName }),
      );
      const own = drifts.find(({ LogicalResourceId }) => LogicalResourceId === id);
      return (own?.PropertyDifferences ?? []).map(({ PropertyPath = '' }) => PropertyPath);
    }),
});
