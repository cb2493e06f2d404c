// Who may import whom. Rooms and laws: docs/architecture.md. Each rule names the room it guards and is shown to fire by
// test/architecture/rooms.test.ts, which also compares the modules cruised with the files on disk: a cruise that sees
// nothing must not pass.

/** The one folder that may import each runtime dependency; a new dependency needs a line here. */
export const VENDOR_ROOMS = {
  '@aws-sdk/client-dynamodb': ['lib/adapters/dynamodb'],
  '@aws-sdk/lib-dynamodb': ['lib/adapters/dynamodb'],
  '@aws-sdk/client-kms': ['lib/adapters/vault'],
  '@aws-sdk/client-sqs': ['lib/adapters/sqs'],
  '@fastify/aws-lambda': ['lib/adapters/fastify', 'services/api'],
  fastify: ['lib/adapters/fastify', 'services/api'],
  'ipaddr.js': ['lib/adapters/http'],
  isbot: ['lib/adapters/bots'],
  jose: ['lib/adapters/identity'],
  'libphonenumber-js': ['lib/adapters/phone'],
  'p-limit': ['lib/adapters/concurrency'],
  undici: ['lib/adapters/http'],
  uuid: ['lib/adapters/clock'],
  // The schema language is the one library every room speaks.
  zod: ['lib', 'services'],
};

const literal = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const anyOf = (parts) => `(?:${parts.join('|')})`;
const TEST = '\\.test\\.ts$';
const npm = (name) => `(?:^|/)node_modules/${literal(name)}/`;

/** Everything in `from` may import what matches `may`, and nothing else. Tests are free. */
const room = (name, comment, from, may) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: [TEST] },
  to: { pathNot: may },
});

const vendorRules = Object.entries(VENDOR_ROOMS).map(([name, rooms]) => ({
  name: `vendor-${name}`,
  comment: `${name} is imported in ${rooms.join(' or ')} only: one library per concern, in one place`,
  severity: 'error',
  // The local host, scripts and tests stand outside the product.
  from: {
    path: '^(?:lib|services|cdk)/',
    pathNot: [`^${anyOf(rooms.map(literal))}/`, '^services/local/', TEST],
  },
  to: { path: npm(name) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    room('domain', 'pure nouns and rules: zod, hashing and compression only', '^lib/domain/', [
      '^lib/domain/',
      npm('zod'),
      '^(?:node:)?(?:crypto|zlib|buffer)$',
    ]),
    room('ports', 'what stages ask of the outside, as types', '^lib/ports/', [
      '^lib/ports/',
      '^lib/domain/',
      '^lib/platforms/platform\\.ts$',
    ]),
    room(
      'platform',
      'a platform sees the domain, its own folder and what all platforms share',
      '^lib/platforms/([^/]+)/',
      [
        '^lib/platforms/$1/',
        '^lib/platforms/(?!registered\\.ts|registry\\.ts|verdicts\\.ts)[^/]+\\.ts$',
        '^lib/platforms/testing/',
        '^lib/domain/',
        npm('zod'),
        '^(?:node:)?crypto$',
      ],
    ),
    room(
      'expectations',
      'what a platform is to do is written down beside it, not made from its code',
      '^lib/platforms/(?!testing/)[^/]+/expected\\.ts$',
      ['^lib/platforms/testing/expected\\.ts$'],
    ),
    {
      name: 'expected-by-tests',
      comment: 'expectations are for tests: no code may learn from them what it is to do',
      severity: 'error',
      from: { path: '^(?:lib|services|cdk)/', pathNot: [TEST] },
      to: { path: '^lib/platforms/(?!testing/)[^/]+/expected\\.ts$' },
    },
    room(
      'platforms',
      'what platforms share, and what folds over them, is pure',
      '^lib/platforms/[^/]+\\.ts$',
      ['^lib/platforms/', '^lib/domain/', '^lib/ports/', npm('zod'), '^(?:node:)?crypto$'],
    ),
    {
      name: 'registry',
      comment: 'only registered.ts names platforms one by one: the next one is a folder and a line there',
      severity: 'error',
      from: {
        path: '^(?:lib|services|cdk)/',
        pathNot: ['^lib/platforms/[^/]+/', '^lib/platforms/registered\\.ts$', TEST],
      },
      to: { path: '^lib/platforms/[^/]+/', pathNot: '^lib/platforms/testing/' },
    },
    room(
      'connections',
      'opened connections and their tokens, for every service that calls a platform: through ports',
      '^lib/connections/',
      ['^lib/connections/', '^lib/(?:domain|ports)/', '^lib/platforms/platform\\.ts$'],
    ),
    room('contract', 'HTTP as data', '^lib/contract/', [
      '^lib/contract/',
      '^lib/domain/',
      '^lib/platforms/(?:registry|platform|verdicts)\\.ts$',
      npm('zod'),
    ]),
    room('client', 'folds from the contract', '^lib/client/', [
      '^lib/client/',
      '^lib/contract/',
      '^lib/domain/',
      npm('zod'),
    ]),
    {
      ...room(
        'adapter',
        'an adapter knows ports, domain and contract; never another adapter',
        '^lib/adapters/([^/]+)/',
        [
          '^lib/adapters/$1/',
          '^lib/(?:domain|ports|contract)/',
          '^lib/platforms/(?:registry|platform|verdicts)\\.ts$',
          '(?:^|/)node_modules/',
        ],
      ),
      to: {
        pathNot: [
          '^lib/adapters/$1/',
          '^lib/(?:domain|ports|contract)/',
          '^lib/platforms/(?:registry|platform|verdicts)\\.ts$',
          '(?:^|/)node_modules/',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'service',
      comment: 'a deployable sees lib, its own folder and the message.ts of others',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: ['^services/local/', TEST] },
      to: { path: '^services/', pathNot: ['^services/$1/', '^services/[^/]+/message\\.ts$'] },
    },
    {
      name: 'lib-below-services',
      comment: 'imports point one way: services → lib',
      severity: 'error',
      from: { path: '^lib/', pathNot: [TEST] },
      to: { path: '^(?:services|cdk|scripts|test)/' },
    },
    {
      name: 'services-below-cdk',
      comment: 'what runs does not know how it is deployed',
      severity: 'error',
      from: { path: '^services/', pathNot: ['^services/local/', TEST] },
      to: { path: '^(?:cdk|scripts|test)/' },
    },
    {
      ...room('cdk', 'topology: names from the domain, code entries by path', '^cdk/', []),
      to: {
        pathNot: [
          '^cdk/',
          '^lib/domain/',
          '^lib/platforms/registry\\.ts$',
          npm('aws-cdk-lib'),
          npm('constructs'),
          npm('esbuild'),
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'product-without-tests',
      comment: 'nothing that ships imports a test or the tools of tests',
      severity: 'error',
      from: { path: '^(?:lib|services|cdk)/', pathNot: [TEST, '/testing/'] },
      to: {
        path: [
          TEST,
          '^services/[^/]+/testing/',
          '^test/',
          npm('vitest'),
          npm('fast-check'),
          npm('playwright-core'),
          npm('autocannon'),
        ],
      },
    },
    {
      name: 'emulators-at-home',
      comment: 'emulators belong to the local host',
      severity: 'error',
      from: { path: '^(?:lib|services|cdk)/', pathNot: ['^services/local/', TEST] },
      to: { path: [npm('dynalite'), npm('fauxqs'), npm('close-with-grace')] },
    },
    ...vendorRules,
    {
      name: 'no-cycle',
      comment: 'a cycle at run time has no first module',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment: 'an import that resolves to nothing is a crash in waiting',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared',
      comment: 'a package that package.json does not name arrived by accident',
      severity: 'error',
      from: { path: '^(?:lib|services|cdk)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'shipped',
      comment: 'what runs in AWS is a dependency, not a devDependency',
      severity: 'error',
      from: { path: '^(?:lib|services)/', pathNot: ['^services/(?:local|pixel)/', TEST] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API; without this parser the cruise sees no TypeScript at all.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^services/pixel/dist/', '^test/performance/peers/', '^test/fidelity/', 'cdk\\.out'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
