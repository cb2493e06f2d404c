// Which command is meant, and its answer. Ends with 0 when it is done, 1 when it was refused, 2 when it was asked wrongly.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { QueueFigures } from '../../lib/adapters/sqs/queue-size.ts';
import { addressOf } from '../deploy-local/endpoint.ts';
import {
  type Answer,
  type Command,
  type Given,
  type Option,
  type Scene,
  textOf,
  UsageProblem,
} from './command.ts';
import { COMMANDS } from './commands/all.ts';
import type { Deployment } from './deployment.ts';
import { withinOf } from './in-the-name-of.ts';
import { askingOf, type Post } from './operator-function.ts';

/** Neither: what the AWS credentials and the region of the environment name. */
export interface Target {
  /** Of an emulator. */
  readonly endpoint?: string;
  /** Of several in the region. */
  readonly environment?: string;
  /** The host that runs on this machine. */
  readonly isLocal: boolean;
}

export interface World {
  readonly find: (target: Target) => Promise<Deployment>;
  readonly post: Post;
  readonly queueFigures: (url: string) => Promise<QueueFigures>;
  readonly redrive: Scene['redrive'];
  readonly sources: Scene['sources'];
  readonly recovery: Scene['recovery'];
  readonly concurrency: Scene['concurrency'];
  readonly deployed: Scene['deployed'];
  readonly ownSettings: Scene['ownSettings'];
  readonly question: Scene['question'];
  readonly pause: Scene['pause'];
  readonly nowMs: () => number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const SHARED: Readonly<Record<string, Option>> = {
  emulator: {
    type: 'string',
    value: 'url',
    help: 'a LocalStack or MiniStack instead of AWS: http://127.0.0.1:4566',
  },
  local: { type: 'boolean', help: 'the host that npm start runs on this machine' },
  environment: { type: 'string', value: 'name', help: 'which deployment, of several in the region' },
  json: { type: 'boolean', help: 'the answer as JSON' },
  help: { type: 'boolean', help: 'this' },
};

export async function runMillrace(args: readonly string[], world: World): Promise<0 | 1 | 2> {
  try {
    const { text, isRefused } = await answerOf(args, world);
    world.out(text);
    return isRefused === true ? 1 : 0;
  } catch (error) {
    world.err(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageProblem ? 2 : 1;
  }
}

async function answerOf(args: readonly string[], world: World): Promise<Pick<Answer, 'text' | 'isRefused'>> {
  const isHelp = args.includes('--help') || args.includes('-h');
  const command = COMMANDS.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name);
  if (command === undefined) {
    if (args.length === 0 || isHelp) return { text: overview() };
    const asked = args.filter((arg) => !arg.startsWith('-')).slice(0, 2);
    throw new UsageProblem(`There is no command ${asked.join(' ')}. See npx millrace --help.`);
  }
  if (isHelp) return { text: helpOf(command) };
  const given = parsed(command, args.slice(command.name.split(' ').length));
  const work = command.prepare(given);
  const { emulator, local, json } = given.values;
  if ('offline' in work) return shown(work.offline, json);
  if (local === true && emulator !== undefined)
    throw new UsageProblem('Say --local or --emulator, not both.');
  const environment = textOf(given, 'environment');
  const deployment = await world.find({
    isLocal: local === true,
    ...(typeof emulator === 'string' ? { endpoint: addressOf(emulator) } : {}),
    ...(environment === undefined ? {} : { environment }),
  });
  const ask = askingOf(deployment, world.post);
  const scene: Scene = {
    deployment,
    ask,
    within: withinOf(deployment, ask),
    queues: async () =>
      await Promise.all(
        Object.entries(deployment.queueUrls).map(async ([name, url]) => {
          const { waiting, inFlight, delayed } = await world.queueFigures(url);
          return { name, waiting, in_flight: inFlight, delayed };
        }),
      ),
    redrive: world.redrive,
    sources: world.sources,
    recovery: world.recovery,
    concurrency: world.concurrency,
    deployed: world.deployed,
    ownSettings: world.ownSettings,
    question: world.question,
    pause: world.pause,
    print: (line) => world.out(`${line}\n`),
    nowMs: world.nowMs(),
    remark: (line) => world.err(`${line}\n`),
  };
  return shown(await work(scene), json);
}

function shown(answer: Answer, json: unknown): Answer {
  return json === true && answer.json !== undefined
    ? { ...answer, text: `${JSON.stringify(answer.json, null, 2)}\n` }
    : answer;
}

function parsed(command: Command, args: readonly string[]): Given {
  const given = readArgs(command, args);
  const { name, takes } = command;
  if (given.positionals.length === takes.length) return given;
  const words = takes.length === 0 ? 'nothing beside its options' : takes.join(' ');
  throw new UsageProblem(
    `${name} takes ${words}, each in one word or in quotes. See npx millrace ${name} --help.`,
  );
}

function readArgs({ name, options }: Command, args: readonly string[]): Given {
  const known: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries({ ...options, ...SHARED }).map(([option, { type }]) => [option, { type }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known });
    return { values: values as Given['values'], positionals };
  } catch (error) {
    throw new UsageProblem(`${(error as Error).message.split('. ')[0]}. See npx millrace ${name} --help.`);
  }
}

const lineOf = ({ name, takes }: Command): string => ['npx millrace', name, ...takes].join(' ');

function overview(): string {
  const lines = COMMANDS.map((command) => [lineOf(command), command.purpose] as const);
  const all = [
    ['npx millrace init <environment>', 'Writes the settings of a new environment.'] as const,
    ['npx millrace deploy [environment]', 'Deploys, after a look at what that would do.'] as const,
    ...lines,
  ];
  const width = Math.max(...all.map(([line]) => line.length));
  return [
    ...all.map(([line, purpose]) => `${line.padEnd(width)}  ${purpose}`),
    '',
    'Each in the deployment that your AWS credentials and region name; --help after a command says more of it.',
    'AWS asks for the permission to invoke the function: attach the policy of the output OperatorAdminPolicyArn.',
    '',
  ].join('\n');
}

function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...SHARED });
  const shown = options.map(([name, { value, help }]) => ({
    left: `  --${name}${value === undefined ? '' : ` <${value}>`}`,
    help,
  }));
  const width = Math.max(...shown.map(({ left }) => left.length));
  const lines = shown.map(({ left, help }) => `${left.padEnd(width)}  ${help}`);
  return [lineOf(command), '', command.purpose, '', ...lines, ''].join('\n');
}
