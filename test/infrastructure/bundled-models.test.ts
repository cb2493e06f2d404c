// Every provider of a language model as AWS gets it: bundled like the functions, loaded where there is no node_modules, and asked
// in its own protocol. A provider that is bundled without a part of it fails here and not with the first question.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { bundledModule } from './bundled-module.ts';

const ASK = `
const { createChatModel } = await import(process.argv[1]);
const model = await createChatModel(JSON.parse(process.argv[2]));
const parts = [];
const request = {
  instructions: 'Be brief.',
  messages: [{ role: 'user', content: 'How many?' }],
  tools: [{ name: 'count', description: 'Counts.', inputSchema: { type: 'object', properties: { of: { type: 'string' } } } }],
  run: async (tool, input) => (parts.push([tool, input]), { source: 'r1', data: { total: 7 } }),
  stepsMax: 3, outputTokensMax: 100, tokensMax: 1000, signal: new AbortController().signal,
};
for await (const part of model.converse(request)) if (part.kind !== 'tool') parts.push(part);
process.stdout.write(JSON.stringify(parts));
`;
const EXPECTED = [
  ['count', { of: 'events' }],
  { kind: 'usage', usage: { inputTokens: 10, outputTokens: 10 } },
  { kind: 'text', text: 'Seven.' },
  { kind: 'usage', usage: { inputTokens: 10, outputTokens: 10 } },
  { kind: 'end', reason: 'finished' },
];

const servers: Server[] = [];
const outdir = scratchFolder('models');
let run: Awaited<ReturnType<typeof bundledModule>>;
beforeAll(async () => {
  run = await bundledModule('lib/adapters/ai/chat-model.ts', outdir);
});
afterAll(() => {
  for (const server of servers) server.close();
});

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' };
const ask = (settings: object): Promise<unknown> => run(ASK, [JSON.stringify(settings)], CREDENTIALS);

interface Heard {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function provider(answer: (turn: number, response: ServerResponse) => void) {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(heard.length, response);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('asks an OpenAI-compatible provider', async () => {
  const model = await startScriptedModel((_asked, turn) =>
    turn === 1 ? { calls: [{ name: 'count', input: { of: 'events' } }] } : { text: 'Seven.' },
  );
  const settings = { provider: 'openai-compatible', model: 'm', baseUrl: model.baseUrl, apiKey: 'k' };
  expect(await ask(settings)).toEqual(EXPECTED);
  await model.close();
});

it('asks Anthropic', async () => {
  const usage = { input_tokens: 10, output_tokens: 10 };
  const start = {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      stop_reason: null,
      usage,
    },
  };
  const { heard, url } = await provider((turn, response) => {
    const block =
      turn === 1 ? { type: 'tool_use', id: 't1', name: 'count', input: {} } : { type: 'text', text: '' };
    const delta =
      turn === 1
        ? { type: 'input_json_delta', partial_json: '{"of":"events"}' }
        : { type: 'text_delta', text: 'Seven.' };
    const stop = { stop_reason: turn === 1 ? 'tool_use' : 'end_turn', stop_sequence: null };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [
      start,
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ])
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  expect(await ask({ provider: 'anthropic', model: 'c', apiKey: 'sk-ant', baseUrl: `${url}/v1` })).toEqual(
    EXPECTED,
  );
  expect([heard[0]?.url, heard[0]?.headers['x-api-key']]).toEqual(['/v1/messages', 'sk-ant']);
  expect(heard[1]?.body).toContain('tool_result');
});

it('asks Bedrock, as the function that it runs in', async () => {
  const { heard, url } = await provider((turn, response) => {
    const start = turn === 1 ? { toolUse: { toolUseId: 't1', name: 'count' } } : {};
    const delta = turn === 1 ? { toolUse: { input: '{"of":"events"}' } } : { text: 'Seven.' };
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    response.write(amazonEvent('messageStart', { role: 'assistant' }));
    if (turn === 1) response.write(amazonEvent('contentBlockStart', { contentBlockIndex: 0, start }));
    response.write(amazonEvent('contentBlockDelta', { contentBlockIndex: 0, delta }));
    response.write(amazonEvent('contentBlockStop', { contentBlockIndex: 0 }));
    response.write(amazonEvent('messageStop', { stopReason: turn === 1 ? 'tool_use' : 'end_turn' }));
    response.write(
      amazonEvent('metadata', {
        usage: { inputTokens: 10, outputTokens: 10, totalTokens: 20 },
        metrics: { latencyMs: 1 },
      }),
    );
    response.end();
  });
  const settings = {
    provider: 'bedrock',
    model: 'amazon.nova-pro-v1:0',
    region: 'eu-central-1',
    baseUrl: url,
  };
  expect(await ask(settings)).toEqual(EXPECTED);
  expect(heard[0]?.url).toBe('/model/amazon.nova-pro-v1%3A0/converse-stream');
  expect(heard[0]?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request/,
  );
});

/** https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html: lengths, headers, body, checksums. */
function amazonEvent(type: string, body: object): Buffer {
  const header = (name: string, value: string): Buffer =>
    Buffer.concat([
      Buffer.of(name.length),
      Buffer.from(name),
      Buffer.of(7, 0, value.length),
      Buffer.from(value),
    ]);
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ]);
  const payload = Buffer.from(JSON.stringify(body));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(headers.length + payload.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const checked = Buffer.concat([prelude, checksum(prelude), headers, payload]);
  return Buffer.concat([checked, checksum(checked)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
