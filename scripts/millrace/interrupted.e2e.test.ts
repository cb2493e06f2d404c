// Goal: an operator who presses Ctrl-C reads what that means. Method: the command as a process, against an AWS that never answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

async function interrupted(...words: readonly string[]) {
  const silent = createServer();
  const asked = once(silent, 'request');
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const command = [...words, '--emulator', `http://127.0.0.1:${port}`];
  const running = spawn(process.execPath, [main, ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: Buffer[] = [];
  running.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = once(running, 'close');
  await asked;
  running.kill('SIGINT');
  const [code] = await ended;
  silent.closeAllConnections();
  silent.close();
  return [code, Buffer.concat(said).toString()];
}

it('says that the same command finishes what was interrupted, and ends with 130', async () => {
  const said = expect.stringContaining('the same command again finishes it');
  expect(await interrupted('merchants', 'list')).toEqual([130, said]);
});

it('says nothing after tail, which ends in no other way', async () => {
  expect(await interrupted('tail')).toEqual([130, '']);
});
