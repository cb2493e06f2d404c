import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { type SynthesizeRequest, synthesizeTemplate } from './synthesize.ts';

const folder = scratchFolder('synthesize');

const request = (name: string, sandboxUrl: string): SynthesizeRequest => ({
  outdir: join(folder, name),
  context: {
    sandboxUrl,
    mailDomain: 'mail.localhost',
    authIssuer: 'http://127.0.0.1:1/issuer',
    authAudience: 'dashboard',
    authJwksUrl: 'http://127.0.0.1:1/jwks',
  },
});

it('gives each of several hosts the template of its own settings', async () => {
  const urls = ['http://127.0.0.1:2001', 'http://127.0.0.1:2002'];
  const templates = await Promise.all(urls.map((url, i) => synthesizeTemplate(request(`${i}`, url))));
  const texts = templates.map((template) => JSON.stringify(template));
  expect(texts.map((text) => urls.filter((url) => text.includes(url)))).toEqual(urls.map((url) => [url]));
});

it('throws the sentence of a setting that is refused, and serves the next host', async () => {
  const wrong = { ...request('wrong', 'http://127.0.0.1:2003'), context: { authIssuer: 'not an address' } };
  await expect(synthesizeTemplate(wrong)).rejects.toThrow(/authIssuer/);
  const template = await synthesizeTemplate(request('next', 'http://127.0.0.1:2004'));
  expect(JSON.stringify(template)).toContain('http://127.0.0.1:2004');
});
