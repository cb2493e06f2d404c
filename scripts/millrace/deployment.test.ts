// Goal: a command reaches the deployment that is meant, of several in a region, and no other. Method: the real client before a
// CloudFormation of the test's own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { findDeployment, prefixOf } from './deployment.ts';

afterEach(() => vi.unstubAllEnvs());

/** `prefixes`: each a deployment whose operator answers at an address that says so. */
async function deploymentOf(
  prefixes: readonly string[],
  environment?: string,
  more: Readonly<Record<string, string>> = {},
) {
  const besides = Object.entries(more)
    .map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    )
    .join('');
  const stacks = prefixes.map(
    (prefix) =>
      `<member><StackName>${prefix}Operator</StackName><CreationTime>2026-11-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member><OutputKey>OperatorAdminUrl</OutputKey><OutputValue>https://${prefix}.example/</OutputValue></member><member><OutputKey>OperatorReaderUrl</OutputKey><OutputValue>https://${prefix}.example/reader</OutputValue></member>${besides}<member><OutputKey>HelpdeskAuditTable</OutputKey><OutputValue>${prefix}-Audit</OutputValue></member></Outputs><Tags><member><Key>environment</Key><Value>eu-2</Value></member></Tags></member>`,
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

const found = async (...asked: Parameters<typeof deploymentOf>) => (await deploymentOf(...asked)).operatorUrl;

it('is the only one there is, whatever its name', async () => {
  expect(await found(['Millrace', 'Other'])).toBe('https://Millrace.example');
  expect(await found(['MillraceStaging'])).toBe('https://MillraceStaging.example');
});

it('says where its requests to platforms go instead, if anywhere', async () => {
  const { sandboxUrl } = await deploymentOf(['MillraceTest'], undefined, {
    PlatformSandboxUrl: 'https://sandbox.example',
  });
  expect(sandboxUrl).toBe('https://sandbox.example');
  expect(await deploymentOf(['MillraceTest'])).not.toHaveProperty('sandboxUrl');
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
  expect(await deploymentOf(['MillraceEu2', 'Other'])).toMatchObject({
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
