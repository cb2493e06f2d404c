// Goal: a command reaches the deployment that is meant, of several in a region, and no other. Method: the real client before a
// CloudFormation of the test's own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { findDeployment, prefixOf } from './deployment.ts';

afterEach(() => vi.unstubAllEnvs());

/** `prefixes`: each a deployment whose operator answers at an address that says so. */
const found = async (prefixes: readonly string[], environment?: string) =>
  (await deployment(prefixes, environment)).operatorUrl;

async function deployment(prefixes: readonly string[], environment?: string) {
  const stacks = prefixes.map(
    (prefix) =>
      `<member><StackName>${prefix}Operator</StackName><CreationTime>2026-11-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member><OutputKey>OperatorAdminUrl</OutputKey><OutputValue>https://${prefix}.example/</OutputValue></member><member><OutputKey>OperatorReaderUrl</OutputKey><OutputValue>https://${prefix}.example/reader</OutputValue></member><member><OutputKey>HelpdeskAuditTable</OutputKey><OutputValue>${prefix}-Audit</OutputValue></member></Outputs><Tags><member><Key>environment</Key><Value>eu-2</Value></member></Tags></member>`,
  );
  const aws = createServer((_request, response) => {
    response.setHeader('content-type', 'text/xml');
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stacks.join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  }).listen(0, '127.0.0.1');
  await once(aws, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(aws.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'x');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'y');
  try {
    return await findDeployment(environment);
  } finally {
    aws.closeAllConnections();
    aws.close();
  }
}

it('is the only one there is, whatever its name', async () => {
  expect(await found(['Millrace', 'Other'])).toBe('https://Millrace.example');
  expect(await found(['MillraceStaging'])).toBe('https://MillraceStaging.example');
});

it('is named where there are several', async () => {
  const both = ['Millrace', 'MillraceStaging'];
  await expect(found(both)).rejects.toThrow(
    'There are several deployments in eu-central-1, with stacks Millrace…, MillraceStaging…: say which with --environment <name>',
  );
  expect(await found(both, 'staging')).toBe('https://MillraceStaging.example');
  expect(await found(both, 'none')).toBe('https://Millrace.example');
  await expect(found(both, 'nope')).rejects.toThrow(/Millrace is not deployed/);
  await expect(found([])).rejects.toThrow('Millrace is not deployed in eu-central-1: npx millrace deploy');
});

it('has stacks, tables as settings call them, and an environment that no name of a stack says', async () => {
  expect(await deployment(['MillraceEu2', 'Other'])).toMatchObject({
    environment: 'eu-2',
    stacks: ['MillraceEu2Operator'],
    tables: { 'helpdesk-audit': 'MillraceEu2-Audit' },
  });
});

it('is told by what is in front of the names of its stacks', () => {
  expect(
    ['MillraceEventsData', 'MillraceEventsEventsData', 'MillraceEuTestCore', 'MillraceDummy', 'XCore'].map(
      prefixOf,
    ),
  ).toEqual(['Millrace', 'MillraceEvents', 'MillraceEuTest', undefined, undefined]);
});
