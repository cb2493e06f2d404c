// Who may import whom. Rooms and laws: docs/architecture.md. Each rule names the room it guards and is shown to fire by
// test/architecture/rooms.test.ts, which also compares the modules cruised with the files on disk: a cruise that sees
// nothing must not pass.

/** The one folder that may import each runtime dependency; a new dependency needs a line here. */
export const VENDOR_ROOMS = {
  '@ai-sdk/amazon-bedrock': ['lib/adapters/ai'],
  '@ai-sdk/anthropic': ['lib/adapters/ai'],
  '@ai-sdk/openai-compatible': ['lib/adapters/ai'],
  '@aws-sdk/client-cognito-identity-provider': ['lib/adapters/cognito'],
  '@aws-sdk/client-dynamodb': ['lib/adapters/dynamodb'],
  '@aws-sdk/lib-dynamodb': ['lib/adapters/dynamodb'],
  '@aws-sdk/client-lambda': ['lib/adapters/event-sources'],
  '@aws-sdk/client-kms': ['lib/adapters/vault'],
  '@aws-sdk/client-s3': ['lib/adapters/s3'],
  '@aws-sdk/client-sesv2': ['lib/adapters/ses'],
  '@aws-sdk/client-sqs': ['lib/adapters/sqs'],
  '@aws-sdk/client-ssm': ['lib/adapters/ssm'],
  ai: ['lib/adapters/ai'],
  fastify: ['lib/adapters/fastify', 'services/events/api', 'services/helpdesk/api'],
  'html-to-text': ['lib/adapters/mail'],
  'ipaddr.js': ['lib/adapters/http'],
  isbot: ['lib/adapters/bots'],
  jose: ['lib/adapters/oidc'],
  'libphonenumber-js': ['lib/adapters/phone'],
  nodemailer: ['lib/adapters/mail'],
  'p-limit': ['lib/adapters/concurrency'],
  'postal-mime': ['lib/adapters/mail'],
  stripe: ['lib/adapters/stripe'],
  'swagger-ui-dist': ['lib/adapters/swagger-ui'],
  undici: ['lib/adapters/http'],
  uuid: ['lib/adapters/clock'],
  // The schema language is the one library every room speaks.
  zod: ['lib', 'services'],
};

const literal = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const anyOf = (parts) => `(?:${parts.join('|')})`;
/** What draws pages and signs people in there: bundled, and in no function. */
const VIEW_LIBRARIES = [
  'react',
  'react-dom',
  '@types/react',
  '@types/react-dom',
  'wouter',
  '@tanstack/react-query',
  '@base-ui/react',
  'oauth4webapi',
  'd3-scale',
  '@types/d3-scale',
];
const TEST = '\\.test\\.tsx?$';
const npm = (name) => `(?:^|/)node_modules/${literal(name)}/`;

/** Everything in `from` may import what matches `may`, and nothing else. Tests are free. */
const room = (name, comment, from, may) => ({
  name,
  comment,
  from: { path: from, pathNot: [TEST] },
  to: { pathNot: may },
});

const vendorRules = Object.entries(VENDOR_ROOMS).map(([name, rooms]) => ({
  name: `vendor-${name}`,
  comment: `${name} is imported in ${rooms.join(' or ')} only: one library per concern, in one place`,
  // The local host, scripts and tests stand outside the product.
  from: {
    path: '^(?:lib|services|cdk)/',
    pathNot: [`^${anyOf(rooms.map(literal))}/`, '^services/local/', TEST],
  },
  to: { path: npm(name) },
}));

const rules = [
  room('core', 'what both products stand on, and knows neither of them', '^lib/core/', [
    '^lib/core/',
    npm('zod'),
    '^(?:node:)?(?:crypto|zlib|buffer)$',
  ]),
  {
    name: 'products-apart',
    comment: 'events and helpdesk never import each other: what both need is in core',
    from: { path: '^(?:lib|services)/(events|helpdesk)/', pathNot: [TEST] },
    to: { path: '^(?:lib|services)/(?:events|helpdesk)/', pathNot: '^(?:lib|services)/$1/' },
  },
  room('domain', 'pure nouns and rules: zod, hashing and compression only', '^lib/[^/]+/domain/', [
    '^lib/(?:events|helpdesk)/domain/',
    '^lib/core/(?:tenancy|record|values|work)/',
    // What is wrong with a value, in words: the same for an event in a body and for one pasted into a preview.
    '^lib/core/http/issue-text\\.ts$',
    npm('zod'),
    '^(?:node:)?(?:crypto|zlib|buffer)$',
  ]),
  room('ports', 'what stages ask of the outside, as types', '^lib/(?:events|helpdesk)/ports/', [
    '^lib/(?:events|helpdesk)/(?:ports|domain)/',
    '^lib/core/(?:ports|tenancy|record|values|work|audit-log)/',
  ]),
  room(
    'platform',
    'a platform sees the domain, its own folder and what all platforms share',
    '^lib/events/platforms/([^/]+)/',
    [
      '^lib/events/platforms/$1/',
      // What several products of one vendor share.
      '^lib/events/platforms/google-ingest/',
      '^lib/events/platforms/(?!registered\\.ts|registry\\.ts)[^/]+\\.ts$',
      '^lib/events/domain/',
      '^lib/core/webhooks/',
      npm('zod'),
      '^(?:node:)?(?:crypto|zlib)$',
    ],
  ),
  room(
    'expectations',
    'what a platform is to do is written down by hand, not made from its code',
    '^test/platforms/[^/]+/expected\\.ts$',
    ['^test/platforms/platform-expectations\\.ts$'],
  ),
  room(
    'sandbox',
    'a sandbox judges by what the vendor says, never with the code of the platform it stands for',
    '^services/local/sandbox/platforms/([^/]+)/',
    [
      '^services/local/sandbox/platforms/(?:$1/|google-ingest/|[^/]+\\.ts$)',
      npm('zod'),
      '^(?:node:)?crypto$',
    ],
  ),
  room(
    'sandbox-kit',
    'what sandboxes share knows no platform either',
    '^services/local/sandbox/platforms/[^/]+\\.ts$',
    [
      '^services/local/sandbox/platforms/[^/]+\\.ts$',
      '^lib/events/domain/event/names\\.ts$',
      // Which codes ISO 4217 has.
      '^lib/events/domain/event/decimal\\.ts$',
      npm('zod'),
    ],
  ),
  {
    name: 'sandbox-apart',
    comment:
      'sandboxes belong to the local host: nothing that runs in AWS learns from one what it is to send',
    from: { path: '^(?:lib|services|cdk)/', pathNot: ['^services/local/', TEST] },
    to: { path: '^services/local/sandbox/' },
  },
  room('platforms', 'what platforms share is pure', '^lib/events/platforms/[^/]+\\.ts$', [
    '^lib/events/(?:platforms|domain)/',
    '^lib/core/ports/',
    npm('zod'),
    '^(?:node:)?crypto$',
  ]),
  {
    name: 'registry',
    comment: 'only registered.ts names platforms one by one: the next one is a folder and a line there',
    from: {
      path: '^(?:lib|services|cdk)/',
      pathNot: ['^lib/events/platforms/[^/]+/', '^lib/events/platforms/registered\\.ts$', TEST],
    },
    to: { path: '^lib/events/platforms/[^/]+/' },
  },
  room(
    'pipeline',
    'what several stages do: through ports, over any list of platforms',
    '^lib/events/pipeline/',
    [
      '^lib/events/(?:pipeline|domain|ports)/',
      '^lib/events/platforms/[^/]+\\.ts$',
      '^lib/core/(?:ports|tenancy|record|values|work)/',
      '^(?:node:)?crypto$',
    ],
  ),
  room('work', 'what several services of the helpdesk do, through ports', '^lib/helpdesk/work/', [
    '^lib/helpdesk/(?:work|domain|ports)/',
    '^lib/core/(?:ports|tenancy|record|values|work|webhooks)/',
    '^(?:node:)?crypto$',
  ]),
  room('routes', 'HTTP as data', '^lib/(?:events|helpdesk)/routes/', [
    '^lib/(?:events|helpdesk)/(?:routes|domain)/',
    '^lib/events/platforms/(?:registry|platform)\\.ts$',
    '^lib/events/pipeline/verdicts\\.ts$',
    '^lib/core/(?:http|tenancy|routes|webhooks)/',
    // What the stream of a chat is made of.
    '^lib/core/assistant/answer-events\\.ts$',
    npm('zod'),
  ]),
  room('client', 'folds from the routes', '^lib/client/', [
    '^lib/client/',
    '^lib/core/http/',
    '^lib/(?:events|helpdesk)/(?:routes|domain)/',
    npm('zod'),
  ]),
  {
    name: 'client-alone',
    comment: 'a page carries the client: of everything else it has the types, which are gone at run time',
    from: { path: '^lib/client/', pathNot: [TEST] },
    to: { pathNot: '^lib/client/', dependencyTypesNot: ['type-only'] },
  },
  {
    ...room('adapter', '', '^lib/adapters/([^/]+)/', []),
    comment:
      'an adapter knows ports, domain and HTTP as data; never another adapter, but for what all clients of AWS share',
    to: {
      pathNot: [
        '^lib/adapters/(?:$1|aws-sdk)/',
        '^lib/core/',
        '^lib/(?:events|helpdesk)/(?:domain|ports|routes)/',
        '^lib/events/platforms/(?:registry|platform)\\.ts$',
        '^lib/events/pipeline/verdicts\\.ts$',
        '(?:^|/)node_modules/',
      ],
      dependencyTypesNot: ['core'],
    },
  },
  {
    name: 'adapter-core',
    comment: 'tables that both products stand on are stored without knowing either of them',
    from: { path: '^lib/adapters/dynamodb/core/', pathNot: [TEST] },
    to: { path: '^lib/(?:(?:events|helpdesk)/|adapters/dynamodb/(?!core/))' },
  },
  {
    name: 'service',
    comment: 'a deployable sees lib, its own folder and the message.ts of others',
    from: {
      path: '^services/([^/]+/[^/]+)/',
      pathNot: [
        '^services/local/',
        '^services/events/(?:browser-ingestion|fan-out)/',
        '^services/operator/reader/',
        TEST,
      ],
    },
    to: { path: '^services/', pathNot: ['^services/$1/', '^services/[^/]+/[^/]+/message\\.ts$'] },
  },
  {
    name: 'operator-reader',
    comment: 'what operators may look at, deployed apart from what they change: the same code',
    from: { path: '^services/operator/reader/', pathNot: [TEST] },
    to: { path: '^services/', pathNot: ['^services/operator/'] },
  },
  {
    name: 'browser-ingestion',
    comment: 'the routes of ingestion that need no credential, deployed apart from the others: the same code',
    from: { path: '^services/events/browser-ingestion/', pathNot: [TEST] },
    to: { path: '^services/', pathNot: ['^services/events/(?:browser-)?ingestion/'] },
  },
  {
    name: 'fan-out',
    comment: 'fan-out sends what is new itself, by the stage that works the queues of the platforms',
    from: { path: '^services/events/fan-out/', pathNot: [TEST] },
    to: {
      path: '^services/',
      pathNot: ['^services/events/fan-out/', '^services/events/deliver/(?:handler|message|stage)\\.ts$'],
    },
  },
  {
    name: 'functions',
    comment: 'what functions are put together from is used where they are: in handler.ts',
    from: {
      path: '^(?:lib|services)/',
      pathNot: ['^lib/functions/', '^services/.*/handler\\.ts$', '^services/local/', TEST],
    },
    to: { path: '^lib/functions/' },
  },
  {
    name: 'lib-below-services',
    comment: 'imports point one way: services → lib',
    from: { path: '^lib/', pathNot: [TEST] },
    to: { path: '^(?:services|cdk|scripts|test)/' },
  },
  {
    name: 'services-below-cdk',
    comment: 'what runs does not know how it is deployed',
    from: { path: '^services/', pathNot: ['^services/local/', TEST] },
    to: { path: '^(?:cdk|scripts|test)/' },
  },
  {
    ...room('cdk', 'topology: names from the domain, code entries by path', '^cdk/', []),
    to: {
      pathNot: [
        '^cdk/',
        '^lib/(?:events|helpdesk)/domain/',
        '^lib/core/topology\\.ts$',
        '^lib/core/tenancy/origins\\.ts$',
        '^lib/events/platforms/registry\\.ts$',
        '^lib/events/routes/every-route\\.ts$',
        npm('aws-cdk-lib'),
        npm('constructs'),
        npm('esbuild'),
        npm('jsonc-parser'),
      ],
      dependencyTypesNot: ['core'],
    },
  },
  {
    name: 'cdk-core',
    comment: 'the stack and the constructs that every product stands on know none of them',
    from: {
      path: '^cdk/(?:constructs|stacks/(?:core|observability)\\.ts$)',
      pathNot: ['^cdk/constructs/(?:events|helpdesk)/', TEST],
    },
    to: { path: '^(?:lib|cdk/constructs)/(?:events|helpdesk)/' },
  },
  {
    name: 'product-without-tests',
    comment: 'nothing that ships imports a test or the tools of tests',
    from: { path: '^(?:lib|services|cdk)/', pathNot: [TEST] },
    to: {
      path: [TEST, '^test/', npm('vitest'), npm('fast-check'), npm('playwright-core'), npm('autocannon')],
    },
  },
  {
    name: 'emulators-at-home',
    comment: 'emulators belong to the local host',
    from: { path: '^(?:lib|services|cdk)/', pathNot: ['^services/local/', TEST] },
    to: { path: [npm('dynalite'), npm('fauxqs'), npm('close-with-grace')] },
  },
  {
    name: 'dashboard-client',
    comment: 'a page carries the client of the API and nothing else of lib',
    from: { path: '^services/dashboard/src/', pathNot: [TEST] },
    to: { path: '^(?:lib|cdk)/', pathNot: '^lib/client/', dependencyTypesNot: ['type-only'] },
  },
  room('dashboard-look', 'tokens and signs know nothing of what is shown', '^services/dashboard/src/look/', [
    '^services/dashboard/src/look/',
    ...VIEW_LIBRARIES.map(npm),
  ]),
  room('dashboard-parts', 'what pages are made of, of whatever page', '^services/dashboard/src/parts/', [
    '^services/dashboard/src/(?:parts|look)/',
    '^lib/client/',
    ...VIEW_LIBRARIES.map(npm),
  ]),
  room(
    'dashboard-page',
    'a page sees its own folder, parts, and what the app gives every page',
    '^services/dashboard/src/pages/([^/]+/[^/]+)/',
    [
      '^services/dashboard/src/pages/$1/',
      '^services/dashboard/src/(?:parts|look)/',
      '^services/dashboard/src/app/(?:api|account|kept|kept-texts|polling|shop|single-keys)\\.tsx?$',
      '^services/dashboard/src/pages/(?:events|helpdesk)/[^/]+\\.tsx?$',
      '^lib/',
      ...VIEW_LIBRARIES.map(npm),
    ],
  ),
  {
    name: 'dashboard-products',
    comment: 'pages of one product never import those of the other',
    from: { path: '^services/dashboard/src/pages/(events|helpdesk)/' },
    to: {
      path: '^services/dashboard/src/pages/(?:events|helpdesk)/',
      pathNot: '^services/dashboard/src/pages/$1/',
    },
  },
  {
    name: 'dashboard-lazily',
    comment: 'the app alone knows pages, and loads each when it is wanted',
    from: { path: '^services/dashboard/src/', pathNot: ['^services/dashboard/src/pages/', TEST] },
    to: { path: '^services/dashboard/src/pages/', dependencyTypesNot: ['dynamic-import'] },
  },
  {
    name: 'view-libraries',
    comment: 'what draws pages is imported by the dashboard only',
    from: { path: '^(?:lib|services|cdk|scripts)/', pathNot: ['^services/dashboard/'] },
    to: { path: VIEW_LIBRARIES.map(npm) },
  },
  ...vendorRules,
  {
    name: 'no-cycle',
    comment: 'a cycle at run time has no first module',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'resolvable',
    comment: 'an import that resolves to nothing is a crash in waiting',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'declared',
    comment: 'a package that package.json does not name arrived by accident',
    from: { path: '^(?:lib|services|cdk)/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'shipped',
    comment: 'what runs in AWS is a dependency, not a devDependency',
    from: { path: '^(?:lib|services)/', pathNot: ['^services/(?:local|events/pixel|dashboard)/', TEST] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no JavaScript API; without this parser the cruise sees no TypeScript at all.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: ['^services/events/pixel/dist/', '^test/performance/peers/', '^test/fidelity/', 'cdk\\.out'],
    },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
