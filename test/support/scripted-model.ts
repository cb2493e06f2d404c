// A language model that says what a script says, by the protocol of OpenAI's chat completions over a real socket: chunks of
// text, calls of tools in pieces, and everything a provider does when it fails.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly unknown[];
  readonly tool_call_id?: string;
}
export interface Asked {
  readonly model: string;
  readonly messages: readonly AskedMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
}

export interface ScriptedCall {
  readonly name: string;
  /** Text is sent as it is, JSON or not. */
  readonly input: unknown;
  readonly id?: string;
}

/** What one request gets. */
export type Turn =
  | {
      readonly text?: string;
      readonly calls?: readonly ScriptedCall[];
      readonly tokens?: number;
      readonly finish?: string;
    }
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Bytes as they are; then the connection is closed, in the middle of the answer where `cut`. */
  | { readonly raw: string; readonly cut?: true }
  /** Headers and a first word, and never anything more. */
  | { readonly hangs: true };

export type Script = (asked: Asked, turn: number) => Turn;

const sse = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_795_000_000,
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

export async function startScriptedModel(script: Script) {
  const asked: Asked[] = [];
  const authorizations: (string | undefined)[] = [];
  const left: Promise<unknown>[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Asked;
    asked.push(body);
    authorizations.push(request.headers.authorization);
    // Asked for before anything is written: a client may leave at once.
    left.push(once(response, 'close'));
    say(script(body, asked.length), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    authorizations,
    /** Ends when the connection of this request, counted from 0, is closed. */
    closed: async (turn: number) => await left[turn],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function say(turn: Turn, response: ServerResponse): void {
  if ('status' in turn) {
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
    response.end(turn.body ?? JSON.stringify({ error: { message: 'scripted', type: 'scripted' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('hangs' in turn) response.write(sse(chunk({ role: 'assistant', content: 'Well' })));
  else if ('raw' in turn) {
    if (turn.cut === true) response.write(turn.raw, () => response.destroy());
    else response.end(turn.raw);
  } else {
    for (const data of chunksOf(turn)) response.write(data);
    response.end('data: [DONE]\n\n');
  }
}

function chunksOf(turn: Extract<Turn, { text?: string }>): readonly string[] {
  const { text = '', calls = [], tokens = 10 } = turn;
  const words = text.match(/\S+\s*/g) ?? [];
  return [
    sse(chunk({ role: 'assistant', content: '' })),
    ...words.map((content) => sse(chunk({ content }))),
    ...calls.flatMap(({ name, input, id }, index) => {
      const text = typeof input === 'string' ? input : JSON.stringify(input);
      const half = Math.ceil(text.length / 2);
      const head = {
        index,
        id: id ?? `call_${index}`,
        type: 'function',
        function: { name, arguments: text.slice(0, half) },
      };
      const rest = { index, function: { arguments: text.slice(half) } };
      return [sse(chunk({ tool_calls: [head] })), sse(chunk({ tool_calls: [rest] }))];
    }),
    sse(chunk({}, turn.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'))),
    sse({
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: tokens, completion_tokens: tokens, total_tokens: 2 * tokens },
    }),
  ];
}
