// The command line of operators before the real operator function over emulated tables; no AWS.
import { runMillrace } from '#scripts/millrace/command-line.ts';
import type { Deployment } from '#scripts/millrace/deployment.ts';
import type { openOperator } from './operator.ts';

type Opened = Awaited<ReturnType<typeof openOperator>>;
type Around = Parameters<typeof runMillrace>[1];

export const DEPLOYMENT: Deployment = {
  region: 'eu-central-1',
  operatorUrl: 'https://operator.example',
  readerUrl: 'https://reader.example',
  ingestionUrl: 'https://in.example',
  apiUrl: 'https://api.example',
  helpdeskUrl: 'https://desk.example',
  dashboardUrl: null,
  environment: undefined,
  stacks: ['MillraceCore', 'MillraceEventsData', 'MillraceEvents'],
  tables: { config: 'MillraceCore-Config', events: 'MillraceEventsData-Events' },
  queueUrls: { accepted: 'https://sqs.example/1/accepted', 'dead letters': 'https://sqs.example/1/dead' },
};

/** Runs a command. `answers`: what the function says to everything, instead of its own answer; `other`: instead of what is around it here. */
export function openTerminal(
  { ask }: Pick<ReturnType<Opened['operator']>, 'ask'>,
  answers?: { readonly status: number; readonly body: string },
  other: Partial<Around> = {},
) {
  return async (...args: readonly string[]) => {
    const said = { out: '', err: '' };
    const around: Around = {
      find: async () => DEPLOYMENT,
      post: async (url, body) => {
        if (answers !== undefined) return answers;
        const mayChange = url.startsWith('https://operator.');
        const path = url.split('/operator/v1/')[1] ?? '';
        const { status, body: answer } = await ask(body, { path, mayChange });
        return { status, body: JSON.stringify(answer) };
      },
      queueFigures: async (url) => ({ waiting: url.length, inFlight: 2, delayed: 1 }),
      sources: async () => new Set(),
      concurrency: async () => null,
      deployed: async () => null,
      ownSettings: () => null,
      question: async () => '',
      pause: async () => undefined,
      redrive: async () => ({ found: new Map(), moved: 0 }),
      recovery: () => {
        throw new Error('There is nothing to restore.');
      },
      nowMs: () => 1_795_000_000_000,
      out: (text) => {
        said.out += text;
      },
      err: (text) => {
        said.err += text;
      },
      ...other,
    };
    return { code: await runMillrace(args, around), ...said };
  };
}
