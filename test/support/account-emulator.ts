// An account of AWS as a deployment asks for it, over HTTP in the protocols of the real clients: STS, Systems Manager, Lambda, SES,
// CloudFormation and CloudWatch Logs.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

type Answer = readonly [status: number, body: string];

export interface EmulatedAccount {
  readonly endpoint: string;
  /** What was asked, in order. */
  readonly asked: string[];
  readonly parameters: Map<string, string>;
  readonly stacks: Map<string, { status: string; readonly template: object; readonly outputs?: object }>;
  /** Group → its lines, as they arrived. */
  readonly logs: Map<string, LoggedLine[]>;
  /** So many of the next calls are answered that there were too many. */
  throttles: number;
  concurrency: number;
  isInSandbox: boolean;
  /** Operations that are refused as not permitted. */
  readonly denied: Set<string>;
  close(): Promise<void>;
}

export interface LoggedLine {
  readonly timestamp: number;
  readonly message: string;
}

/** Lines in an answer of CloudWatch Logs; AWS takes 10,000. */
const LINES = 2;

/** The account that clients find in the environment of this test. */
export async function useEmulatedAccount(): Promise<EmulatedAccount> {
  const aws = await emulateAccount();
  vi.stubEnv('AWS_ENDPOINT_URL', aws.endpoint);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'x');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'y');
  return aws;
}

async function emulateAccount(number = '111122223333'): Promise<EmulatedAccount> {
  const server = createServer(async (request, response) => {
    const { operation, input } = await read(request);
    account.asked.push(operation);
    const [status, body] = account.denied.has(operation)
      ? json(400, { __type: 'AccessDeniedException', message: `${operation} is not permitted` })
      : account.throttles-- > 0
        ? json(400, { __type: 'ThrottlingException', message: 'Rate exceeded' })
        : answer(operation, input);
    response.writeHead(status, { 'content-type': body.startsWith('<') ? 'text/xml' : 'application/json' });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function answer(operation: string, input: Readonly<Record<string, unknown>>): Answer {
    const name = String(input.Name ?? '');
    const held = account.parameters.get(name);
    switch (operation) {
      case 'GetCallerIdentity':
        return xml(operation, `<Account>${number}</Account><Arn>arn:aws:iam::${number}:user/anna</Arn>`);
      case 'GetAccountSettings':
        return json(200, { AccountLimit: { ConcurrentExecutions: account.concurrency } });
      case 'GetAccount':
        return json(200, { ProductionAccessEnabled: !account.isInSandbox });
      case 'GetParameter':
        return held === undefined
          ? json(400, { __type: 'ParameterNotFound' })
          : json(200, { Parameter: { Name: name, Value: held } });
      case 'PutParameter':
        if (held !== undefined && input.Overwrite !== true)
          return json(400, { __type: 'ParameterAlreadyExists' });
        account.parameters.set(name, String(input.Value));
        return json(200, { Version: 1 });
      case 'DeleteParameter':
        return account.parameters.delete(name) ? json(200, {}) : json(400, { __type: 'ParameterNotFound' });
      case 'DescribeStacks': {
        const members = [...account.stacks].map(
          ([stack, { status, outputs = {} }]) =>
            `<member><StackName>${stack}</StackName><CreationTime>2026-11-01T00:00:00Z</CreationTime><StackStatus>${status}</StackStatus><Outputs>${outputsOf(outputs)}</Outputs></member>`,
        );
        return xml(operation, `<Stacks>${members.join('')}</Stacks>`);
      }
      case 'ListStackResources': {
        const { Resources: all = {} } = (account.stacks.get(String(input.StackName))?.template ?? {}) as {
          readonly Resources?: Readonly<Record<string, { readonly Type: string }>>;
        };
        const members = Object.entries(all).map(
          ([id, { Type }]) =>
            `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${String(input.StackName)}-${id}</PhysicalResourceId><ResourceType>${Type}</ResourceType><ResourceStatus>CREATE_COMPLETE</ResourceStatus></member>`,
        );
        return xml(operation, `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`);
      }
      case 'FilterLogEvents':
        return linesOf(String(input.logGroupName), Number(input.startTime), input.nextToken);
      case 'GetTemplate': {
        const text = JSON.stringify(account.stacks.get(String(input.StackName))?.template);
        return xml(
          operation,
          `<TemplateBody>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</TemplateBody>`,
        );
      }
      default:
        return json(501, { message: `${operation} is not emulated` });
    }
  }

  /** What a token stands for does not change as lines arrive. */
  const pages: (readonly object[])[] = [];
  function linesOf(group: string, fromMs: number, token: unknown): Answer {
    const held = account.logs.get(group);
    if (held === undefined) return json(400, { __type: 'ResourceNotFoundException', message: group });
    const wanted =
      pages[Number(token)] ??
      held
        .map((line, at) => ({ eventId: String(at), ...line }))
        .filter(({ timestamp }) => timestamp >= fromMs)
        .sort((a, b) => a.timestamp - b.timestamp);
    if (wanted.length <= LINES) return json(200, { events: wanted });
    const nextToken = String(pages.push(wanted.slice(LINES)) - 1);
    return json(200, { events: wanted.slice(0, LINES), nextToken });
  }

  const account: EmulatedAccount = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    parameters: new Map([['/cdk-bootstrap/hnb659fds/version', '30']]),
    stacks: new Map(),
    logs: new Map(),
    throttles: 0,
    concurrency: 1_000,
    isInSandbox: false,
    denied: new Set(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return account;
}

async function read(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const target = request.headers['x-amz-target'];
  if (target !== undefined)
    return {
      operation: String(target).split('.')[1] ?? '',
      input: JSON.parse(text) as Readonly<Record<string, unknown>>,
    };
  if (request.url?.includes('/account-settings') === true)
    return { operation: 'GetAccountSettings', input: {} };
  if (request.url?.startsWith('/v2/email/account') === true) return { operation: 'GetAccount', input: {} };
  const { Action: operation = '', ...input } = Object.fromEntries(new URLSearchParams(text));
  return { operation, input };
}

const outputsOf = (outputs: object): string =>
  Object.entries(outputs)
    .map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    )
    .join('');

const json = (status: number, body: object): Answer => [status, JSON.stringify(body)];

const xml = (operation: string, result: string): Answer => [
  200,
  `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`,
];
