// Goal: `millrace restore` with AWS's real clients does what it says to the tables, functions and queues of the deployed templates, and
// goes on where it was broken off. Method: MiniStack, which has backups and the deletion of tables, with the stacks of the events as
// CloudFormation gets them, whose functions have no code. Its point-in-time recovery knows one moment, the present: rows are taken
// away once they are in the copy.
import { spawnSync } from 'node:child_process';
import { setTimeout as pauseFor } from 'node:timers/promises';
import {
  CloudFormationClient,
  CreateStackCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  paginateListFunctions,
} from '@aws-sdk/client-lambda';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { queueFigures } from '../../lib/adapters/sqs/queue-size.ts';
import { endpointEnvironment } from '../../scripts/deploy-local/endpoint.ts';
import { startMinistack } from '../../scripts/deploy-local/ministack.ts';
import { freePort } from '../../scripts/deploy-local/server-process.ts';
import { runMillrace } from '../../scripts/millrace/command-line.ts';
import { findDeployment } from '../../scripts/millrace/deployment.ts';
import { realWorld } from '../../scripts/millrace/world.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const hasPython = spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0;
const ROWS = Array.from({ length: 20 }, (_, i) => ({ pk: `m#${i}`, sk: 'E', tp: 'm', ts: String(i) }));
const RESTORE = ['restore', '--to', 'latest', '--table'];

describe.skipIf(!hasPython)('a restore', () => {
  let emulator: Awaited<ReturnType<typeof startMinistack>>;
  const reachEmulator = () => {
    for (const [name, value] of Object.entries(endpointEnvironment(emulator.endpoint)))
      vi.stubEnv(name, value);
  };
  beforeAll(async () => {
    emulator = await startMinistack({ port: await freePort() });
    reachEmulator();
    const { stacks } = synthesizeApp({
      ...{ ephemeral: true, bundle: false, outdir: scratchFolder('restore') },
      context: { products: 'events', platforms: 'meta' },
    });
    const client = new CloudFormationClient({});
    const s3 = new S3Client({ forcePathStyle: true });
    await s3.send(new CreateBucketCommand({ Bucket: 'templates' }));
    for (const [StackName, template] of stacks) {
      const at = { Bucket: 'templates', Key: StackName };
      await s3.send(new PutObjectCommand({ ...at, Body: JSON.stringify(template) }));
      const TemplateURL = `${emulator.endpoint}/templates/${StackName}`;
      const Tags = [{ Key: 'application', Value: 'millrace' }];
      const Capabilities = ['CAPABILITY_NAMED_IAM' as const];
      await client.send(new CreateStackCommand({ StackName, TemplateURL, Tags, Capabilities }));
      await waitUntilStackCreateComplete(
        { client, maxWaitTime: 120, minDelay: 1, maxDelay: 1 },
        { StackName },
      );
    }
    // In the templates, but MiniStack's CloudFormation passes both over.
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires' };
    for (const TableName of Object.values((await findDeployment()).tables)) {
      await db().send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
      await db().send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    }
  });
  beforeEach(reachEmulator);
  afterAll(async () => await emulator?.stop());

  const db = () => DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const concurrencies = async () => {
    const client = new LambdaClient({});
    const found: [string, number | undefined][] = [];
    for await (const { Functions = [] } of paginateListFunctions({ client }, {}))
      for (const { FunctionName = '' } of Functions) {
        const { ReservedConcurrentExecutions } = await client.send(
          new GetFunctionConcurrencyCommand({ FunctionName }),
        );
        found.push([FunctionName, ReservedConcurrentExecutions]);
      }
    return found;
  };
  /** `answers`: what is typed, from the first question on. */
  const answering =
    (answers: readonly string[]) =>
    async (...args: readonly string[]) => {
      const said = { out: '', err: '' };
      const left = [...answers];
      const code = await runMillrace([...args, '--emulator', emulator.endpoint], {
        ...realWorld,
        question: async () => left.shift() ?? '',
        // The emulator is quicker than AWS.
        pause: (ms) => pauseFor(Math.min(ms, 200)),
        out: (text) => {
          said.out += text;
        },
        err: (text) => {
          said.err += text;
        },
      });
      return { code, ...said };
    };
  const millrace = answering([]);

  it('stops everything, goes on where it was broken off, and leaves the table as its stack says', async () => {
    const { tables, queueUrls } = await findDeployment();
    const { events: TableName = '' } = tables;
    const { 'dead letter': QueueUrl = '' } = queueUrls;
    await db().send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: ROWS.map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
    // As a lasting deployment has it.
    await db().send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
    const [[FunctionName] = ['', undefined]] = await concurrencies();
    await new LambdaClient({}).send(
      new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 7 }),
    );
    const before = await concurrencies();
    const sqs = createSqsClient();
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'leads nowhere' }));
    const { Table: original } = await db().send(new DescribeTableCommand({ TableName }));

    const asked = await millrace(...RESTORE, 'events');
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('Nothing was done')]);
    expect(await concurrencies()).toEqual(before);
    // Broken off once the copy is there.
    const begun = await answering(['events', 'no'])(...RESTORE, 'events');
    expect(begun).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was deleted') });
    expect(new Set((await concurrencies()).map(([, reserved]) => reserved))).toEqual(new Set([0]));
    const { pk, sk } = ROWS[3] ?? {};
    await db().send(new DeleteCommand({ TableName, Key: { pk, sk } }));

    const done = await millrace(...RESTORE, 'events', '--yes');
    expect([done.code, done.err]).toEqual([0, expect.not.stringContaining('restores beside')]);
    const { Items = [] } = await db().send(new ScanCommand({ TableName }));
    expect(Items).toHaveLength(ROWS.length);
    const { Items: listed = [] } = await db().send(new ScanCommand({ TableName, IndexName: 'by_time' }));
    expect(listed).toHaveLength(ROWS.length);
    const { Table: restored } = await db().send(new DescribeTableCommand({ TableName }));
    expect(restored?.TableId).not.toBe(original?.TableId);
    expect(restored?.DeletionProtectionEnabled).toBe(true);
    expect(restored?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual(
      original?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort(),
    );
    expect(await settingsOf(TableName, restored?.TableArn)).toEqual({
      recovery: 'ENABLED',
      // The sweep's.
      expiry: 'DISABLED',
      tags: [{ Key: 'application', Value: 'millrace' }],
    });
    expect(await concurrencies()).toEqual(before);
    expect(await queueFigures(sqs, QueueUrl)).toMatchObject({ waiting: 0, inFlight: 0 });
    const { TableNames = [] } = await db().send(new ListTablesCommand({}));
    expect(TableNames.filter((name) => name.startsWith(TableName))).toEqual([TableName]);
  });

  it('switches expiry on where nothing else does, and says as JSON what it did', async () => {
    const { tables } = await findDeployment();
    const { analytics = '' } = tables;
    const { code, out } = await millrace(...RESTORE, analytics, '--yes', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { part: 'analytics', table: analytics, items: { original: 0, restored: 0 } },
    ]);
    expect(await settingsOf(analytics)).toMatchObject({ recovery: 'ENABLED', expiry: 'ENABLED' });
  });

  it('refuses what is no moment of the table, before anything stands still', async () => {
    const before = await concurrencies();
    const { code, err } = await millrace('restore', '--table', 'events', '--to', '2026-01-01', '--yes');
    expect([code, err]).toEqual([1, expect.stringMatching(/can go back to any second from .* to /)]);
    expect(await concurrencies()).toEqual(before);
  });

  async function settingsOf(TableName: string, ResourceArn?: string) {
    const { ContinuousBackupsDescription } = await db().send(
      new DescribeContinuousBackupsCommand({ TableName }),
    );
    const { TimeToLiveDescription } = await db().send(new DescribeTimeToLiveCommand({ TableName }));
    const { Tags } =
      ResourceArn === undefined
        ? { Tags: [] }
        : await db().send(new ListTagsOfResourceCommand({ ResourceArn }));
    return {
      recovery: ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus,
      expiry: TimeToLiveDescription?.TimeToLiveStatus,
      tags: Tags?.filter(({ Key }) => !Key?.startsWith('aws:')),
    };
  }
});
