// Goal: every deployment reads the same settings, and a wrong one is refused in a sentence before anything is built. Method:
// files in a folder of the test's own; and the app as the CDK runs it, under whichever Node started the CDK.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../cdk/environment-file.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { synthesized } from './synthesized.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder('environments');
  for (const [name, text] of Object.entries({ example: '{}', schema: '{}', ...files }))
    writeFileSync(join(folder, `${name}.json`), text);
  return `${folder}/`;
}
const read = (files: Readonly<Record<string, string>>, context: Readonly<Record<string, unknown>> = {}) =>
  settingsOf(context, folderWith(files));

describe('the file of settings', () => {
  it('is the only one there is, with comments; flags of the CDK are none of its business', () => {
    const production =
      '{\n// why\n"$schema": "./schema.json", "mailDomain": "help.shop.example", "apiCorsOrigins": ["https://a.example"],}';
    const context = { 'aws:cdk:bundling-stacks': [], '@aws-cdk/core:x': true, 'cli-telemetry': false };
    expect(read({ production }, context)).toEqual({
      mailDomain: 'help.shop.example',
      apiCorsOrigins: ['https://a.example'],
    });
  });

  it('is named where there are several', () => {
    const files = { staging: '{"logLevel":"debug"}', production: '{}' };
    expect(() => read(files)).toThrow('There are several files of settings (production, staging)');
    expect(read(files, { environment: 'staging' })).toEqual({ logLevel: 'debug' });
  });

  it('gives what a command line gave: lists, numbers and objects as they are', () => {
    const urls = ['https://app.example/a', 'https://app.example/b'];
    const asList = synthesized({ ephemeral: false, context: { signInCallbackUrls: urls } });
    const asText = synthesized({ ephemeral: false, context: { signInCallbackUrls: urls.join(',') } });
    expect(asList.stacks.get('MillraceCore')).toEqual(asText.stacks.get('MillraceCore'));
  });

  it('is not needed for what is ephemeral, whose settings are given with -c', () => {
    expect(read({}, { ephemeral: 'true', sandboxUrl: 'http://127.0.0.1:1' })).toEqual({
      ephemeral: 'true',
      sandboxUrl: 'http://127.0.0.1:1',
    });
  });

  it.each([
    [{}, {}, 'There is no file of settings. Make one: npx millrace init production'],
    [
      { production: '{}' },
      { mailDomain: 'a.example' },
      /mailDomain: settings are not given with -c .* cdk\/environments\/production\.json/,
    ],
    [
      { production: '{}' },
      { mailDomian: 'a.example' },
      'there is no setting mailDomian. Did you mean mailDomain?',
    ],
    [{}, { ephemeral: 'true', sandboxURL: 'x' }, 'there is no setting sandboxURL. Did you mean sandboxUrl?'],
    [
      { production: '{"alarmMail":"a@b.de"}' },
      {},
      'production.json: there is no setting alarmMail. Did you mean alarmEmail?',
    ],
    [{ production: '{"colour":1}' }, {}, /there is no setting colour\. docs/],
    [{ production: '{"toString":1}' }, {}, 'there is no setting toString'],
    [{ production: '{\n"a" 1}' }, {}, 'production.json, line 2: it is no JSON'],
    [{ production: '[]' }, {}, 'production.json must be a JSON object'],
    [
      { staging: '{"environment":"production"}' },
      {},
      'staging.json: the setting environment must be staging, the name of the file.',
    ],
    [{ production: '{}' }, { environment: 'staging' }, 'There is no file cdk/environments/staging.json'],
    [{ production: '{}' }, { environment: '../x' }, 'name a file of cdk/environments without its ending'],
  ])('%j with -c %j is refused', (files, context, sentence) => {
    expect(() => read(files, context)).toThrow(sentence);
  });

  it('is refused by name where a program gives it, too', () => {
    expect(() => synthesized({ ephemeral: true, context: { mailDomian: 'x' } })).toThrow(
      'Did you mean mailDomain?',
    );
  });

  it('is begun from an example that is a deployment of defaults, but for a key that cannot be changed later', () => {
    const example = readFileSync(join(ROOT, 'cdk/environments/example.json'), 'utf8');
    expect(read({ production: example })).toEqual({ multiRegionKey: true });
  });
});

it('is read by the app under the Node of node_modules, and refused in one line', () => {
  const { app } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { readonly app: string };
  const [program = '', ...args] = app.split(' ');
  expect(program).toBe('node_modules/.bin/node');
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    // As a shell with an old Node, or none: nothing of the caller's path.
    env: { PATH: '/nonexistent', CDK_CONTEXT_JSON: JSON.stringify({ logLevle: 'info' }) },
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'With -c, or in the context of cdk.json: there is no setting logLevle. Did you mean logLevel? docs/reference/settings.md lists them.\n',
  ]);
});
