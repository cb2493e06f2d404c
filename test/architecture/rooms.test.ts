// Goal: imports follow docs/architecture.md. Method: dependency-cruiser over this tree; then over a small tree in which
// each rule is broken once, so that a rule that stops firing is seen.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Cruise, cruise, plantTree, ROOT, vendorRooms } from './cruise.ts';

const dependencies = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies,
);

describe('the rooms of this tree', () => {
  let tree: Cruise;
  beforeAll(() => {
    tree = cruise(ROOT);
  });

  it('were all seen', () => {
    expect(tree.files.length).toBeGreaterThan(0);
    expect(tree.modules).toEqual(tree.files);
  });

  it('import only what they may', () => {
    expect(tree.violations).toEqual([]);
  });

  it('give every runtime dependency one home', async () => {
    expect(Object.keys(await vendorRooms()).sort()).toEqual(dependencies.sort());
  });
});

/** File → its text; the rule it must break, or null for a file that breaks none. */
const BROKEN: readonly (readonly [file: string, text: string, rule: string | null])[] = [
  ['lib/events/domain/clean.ts', "import { hash } from 'node:crypto';\nexport const x = hash;", null],
  ['lib/events/domain/reads-file.ts', "import 'node:fs';", 'domain'],
  [
    'lib/events/domain/climbs.ts',
    "import type { Port } from '../ports/port.ts';\nexport type X = Port;",
    'domain',
  ],
  ['lib/events/ports/port.ts', 'export interface Port { x: 1 }', null],
  ['lib/events/ports/sees-adapter.ts', "import '../../adapters/a/a.ts';", 'ports'],
  ['lib/events/platforms/platform.ts', 'export interface Platform { x: 1 }', null],
  [
    'lib/events/platforms/meta/index.ts',
    "import type { Platform } from '../platform.ts';\nexport type X = Platform;",
    null,
  ],
  ['lib/events/platforms/tiktok/index.ts', "import '../meta/index.ts';", 'platform'],
  ['lib/events/platforms/registered.ts', "import './meta/index.ts';\nimport 'node:http';", 'platforms'],
  ['lib/events/platforms/answer.ts', 'export const answer = 1;', null],
  ['lib/events/pipeline/verdicts.ts', "import '../platforms/meta/index.ts';", 'registry'],
  ['lib/events/platforms/registry.ts', "import './meta/index.ts';", 'registry'],
  ['lib/events/platforms/ga4/index.ts', "import '../answer.ts';", null],
  ['lib/events/platforms/snapchat/index.ts', "import '../registry.ts';", 'platform'],
  ['lib/events/platforms/reddit/index.ts', "import '../registered.ts';", 'platform'],
  [
    'services/events/one/names-platform.ts',
    "import '../../../lib/events/platforms/meta/index.ts';",
    'registry',
  ],
  ['lib/events/platforms/x/event-names.ts', 'export const names = 1;', null],
  ['test/platforms/platform-expectations.ts', 'export interface Expected { x: 1 }', null],
  [
    'test/platforms/x/expected.ts',
    "import type { Expected } from '../platform-expectations.ts';\nexport type X = Expected;",
    null,
  ],
  ['test/platforms/amazon/expected.ts', "import '#lib/events/platforms/x/event-names.ts';", 'expectations'],
  ['test/platforms/klaviyo/expected.ts', "import '../x/expected.ts';", 'expectations'],
  ['lib/events/platforms/x/payload.ts', "import '#test/platforms/x/expected.ts';", 'product-without-tests'],
  ['services/local/seeds.ts', "import '#test/platforms/x/expected.ts';", 'product-without-tests'],
  ['services/local/sandbox/platforms/platform-sandbox.ts', "import 'zod';", null],
  ['services/local/sandbox/platforms/x/rules.ts', 'export const rule = 1;', null],
  [
    'services/local/sandbox/platforms/x/sandbox.ts',
    "import './rules.ts';\nimport '../platform-sandbox.ts';\nimport 'zod';",
    null,
  ],
  [
    'services/local/sandbox/platforms/klaviyo/sandbox.ts',
    "import '#lib/events/platforms/x/event-names.ts';",
    'sandbox',
  ],
  [
    'services/local/sandbox/platforms/klaviyo/rules.ts',
    "import '#lib/events/platforms/answer.ts';",
    'sandbox',
  ],
  ['services/local/sandbox/platforms/ga4/sandbox.ts', "import '../x/rules.ts';", 'sandbox'],
  [
    'services/local/sandbox/platforms/linkedin/sandbox.ts',
    "import '#lib/events/domain/clean.ts';",
    'sandbox',
  ],
  ['services/local/sandbox/platforms/reading.ts', "import '#lib/events/platforms/answer.ts';", 'sandbox-kit'],
  [
    'lib/events/platforms/linkedin/payload.ts',
    "import '#services/local/sandbox/platforms/x/rules.ts';",
    'sandbox-apart',
  ],
  [
    'services/events/two/learns.ts',
    "import '../../local/sandbox/platforms/platform-sandbox.ts';",
    'sandbox-apart',
  ],
  ['lib/events/pipeline/connections/sends-itself.ts', "import '../../../adapters/a/a.ts';", 'pipeline'],
  ['lib/helpdesk/work/sends-itself.ts', "import '../../adapters/a/a.ts';", 'work'],
  ['lib/core/http/route.ts', "import '../../events/ports/port.ts';", 'core'],
  ['lib/events/routes/sees-adapter.ts', "import '../../adapters/a/a.ts';", 'routes'],
  ['lib/events/routes/sees-from-the-top.ts', "import '#lib/adapters/a/a.ts';", 'routes'],
  ['lib/helpdesk/domain/ticket.ts', "import '../../events/domain/clean.ts';", 'products-apart'],
  ['lib/helpdesk/work/writes-itself.ts', "import '../../adapters/a/a.ts';", 'work'],
  ['lib/helpdesk/routes/sees-ports.ts', "import '../ports/port.ts';", 'routes'],
  ['lib/helpdesk/ports/port.ts', "import '../domain/ticket.ts';", null],
  ['lib/client/client.ts', "import '../events/ports/port.ts';", 'client'],
  ['lib/client/sees-code.ts', "import '../core/http/route.ts';", 'client-alone'],
  [
    'lib/adapters/a/a.ts',
    "import 'node:http';\nimport type { Port } from '../../events/ports/port.ts';\nexport type X = Port;",
    null,
  ],
  ['lib/adapters/b/b.ts', "import '../a/a.ts';", 'adapter'],
  ['lib/adapters/dynamodb/core/keys.ts', "import '../../../events/domain/clean.ts';", 'adapter-core'],
  ['lib/adapters/c/c.ts', "import '../../../services/events/one/message.ts';", 'lib-below-services'],
  ['services/events/one/message.ts', 'export interface Message { x: 1 }', null],
  [
    'services/events/one/stage.ts',
    "import type { Message } from '../two/message.ts';\nexport type X = Message;",
    null,
  ],
  ['services/events/two/message.ts', 'export interface Message { x: 1 }', null],
  ['services/events/two/stage.ts', "import '../one/stage.ts';", 'service'],
  ['lib/functions/base.ts', 'export const base = 1;', null],
  ['services/events/three/stage.ts', "import '../../../lib/functions/base.ts';", 'functions'],
  ['services/events/two/deploys.ts', "import '../../../cdk/stacks/app.ts';", 'services-below-cdk'],
  ['services/events/two/emulates.ts', "import 'dynalite';", 'emulators-at-home'],
  ['services/events/two/tests.ts', "import 'vitest';", 'product-without-tests'],
  ['services/events/two/missing.ts', "import './nowhere.ts';", 'resolvable'],
  ['services/events/two/develops.ts', "import 'esbuild';", 'shipped'],
  ['services/dashboard/src/look/sign.tsx', "import 'react';", null],
  ['services/dashboard/src/look/asks.tsx', "import '../parts/page.tsx';", 'dashboard-look'],
  ['services/dashboard/src/parts/page.tsx', "import '../look/sign.tsx';\nimport 'wouter';", null],
  ['services/dashboard/src/parts/asks.tsx', "import '../app/api.tsx';", 'dashboard-parts'],
  ['services/dashboard/src/app/api.tsx', "import '../../../../lib/client/calls.ts';", null],
  [
    'services/dashboard/src/app/pages.ts',
    "export const load = () => import('../pages/events/one/one.tsx');",
    null,
  ],
  ['services/dashboard/src/app/eager.ts', "import '../pages/events/one/one.tsx';", 'dashboard-lazily'],
  [
    'services/dashboard/src/app/schemas.ts',
    "import '../../../../lib/events/domain/clean.ts';",
    'dashboard-client',
  ],
  [
    'services/dashboard/src/pages/events/one/one.tsx',
    "import '../../../app/api.tsx';\nimport '../../../parts/page.tsx';\nimport '../list.ts';",
    null,
  ],
  ['services/dashboard/src/pages/events/list.ts', 'export const x = 1;', null],
  ['services/dashboard/src/pages/events/two/two.tsx', "import '../one/one.tsx';", 'dashboard-page'],
  ['services/dashboard/src/pages/events/two/shell.tsx', "import '../../../app/pages.ts';", 'dashboard-page'],
  [
    'services/dashboard/src/pages/helpdesk/inbox/inbox.tsx',
    "import '../../events/list.ts';",
    'dashboard-products',
  ],
  ['lib/client/calls.ts', 'export const x = 1;', null],
  ['services/events/two/draws.ts', "import 'react';", 'view-libraries'],
  ['services/local/main.ts', "import '../events/one/stage.ts';\nimport 'fauxqs';\nimport 'undici';", null],
  ['cdk/stacks/app.ts', "import 'node:path';\nimport 'aws-cdk-lib';", null],
  ['cdk/constructs/table.ts', "import '../../lib/events/domain/clean.ts';", 'cdk-core'],
  ['cdk/constructs/events/queue.ts', "import '../../../lib/events/domain/clean.ts';", null],
  ['cdk/stacks/core.ts', "import '../constructs/events/queue.ts';", 'cdk-core'],
  ['cdk/stacks/events.ts', "import '../constructs/events/queue.ts';", null],
  ['cdk/stacks/codes.ts', "import '../../services/events/one/stage.ts';", 'cdk'],
  ['lib/events/domain/ring-a.ts', "import { b } from './ring-b.ts';\nexport const a = b;", 'no-cycle'],
  ['lib/events/domain/type-a.ts', "import type { B } from './type-b.ts';\nexport interface A { b: B }", null],
  ['lib/events/domain/type-b.ts', "import type { A } from './type-a.ts';\nexport interface B { a: A }", null],
];

/** The other half of ring-a.ts; a ring is reported once. */
const RING_B = [
  'lib/events/domain/ring-b.ts',
  "import { a } from './ring-a.ts';\nexport const b = a;",
] as const;

describe('each rule', () => {
  const folder = scratchFolder('rooms');
  let rulesBroken: (file: string) => string[];
  let seen: Cruise;

  beforeAll(() => {
    const manifest = ['package.json', readFileSync(join(ROOT, 'package.json'), 'utf8')] as const;
    const vendors = dependencies.map(
      (name, i) => [`lib/adapters/elsewhere/vendor-${i}.ts`, `import '${name}';`] as const,
    );
    plantTree(folder, [manifest, ...BROKEN, RING_B, ...vendors]);
    seen = cruise(folder);
    rulesBroken = (file) => [
      ...new Set(seen.violations.filter(({ from }) => from === file).map(({ rule }) => rule)),
    ];
  });

  it.each(BROKEN.filter(([, , rule]) => rule !== null))('on %s (%j) gives %s', (file, _text, rule) => {
    expect(rulesBroken(file)).toContain(rule);
  });

  it.each(BROKEN.filter(([, , rule]) => rule === null))('leaves %s (%j) alone', (file) => {
    expect(rulesBroken(file)).toEqual([]);
  });

  it.each(dependencies.filter((name) => name !== 'zod'))('keeps %s in its room', (name) => {
    const file = `lib/adapters/elsewhere/vendor-${dependencies.indexOf(name)}.ts`;
    expect(rulesBroken(file)).toContain(`vendor-${name}`);
  });

  it('was seen: the cruise of the small tree is complete', () => {
    expect(seen.modules).toEqual(seen.files);
  });
});
