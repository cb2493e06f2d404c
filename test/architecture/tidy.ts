// What the linter cannot say: names, sizes, words and texts of the repository. Each check takes one file and returns
// its complaints, so that it can be shown to fire. Approximate by design: it reads text, not syntax.

export interface SourceFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

type Check = (file: SourceFile) => string[];

const SOURCE_LINES_MAX = 300;
const TEST_LINES_MAX = 500;
/** A file shorter than this explains itself. */
const HEADER_FROM_LINES = 40;
/** Their name is their contract, described once in docs/architecture.md. */
const NAMED_ROLES = /\/(?:message|ports|handler|lambda|event-names|credentials)\.ts$/;

const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path);
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith('test/');
const isMarkdown = (path: string): boolean => path.endsWith('.md');
const isGenerated = (path: string): boolean =>
  path.startsWith('docs/reference/') || path === 'package-lock.json';
const isProduct = (path: string): boolean =>
  /^(?:lib|services|cdk)\//.test(path) && isTypeScript(path) && !isTest(path);

/** Names that say nothing about what is inside. */
const EMPTY_WORDS = new Set(
  'util utils helper helpers common constants manager managers misc types'.split(' '),
);

export const emptyNames: Check = ({ path }) => {
  const words = path.split('/').flatMap((part) => part.split('.')[0]?.split('-') ?? []);
  return words
    .filter((word) => EMPTY_WORDS.has(word))
    .map((word) => `"${word}" names nothing: say what it holds`);
};

const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
/** Names that tools and readers expect as they are. */
const KNOWN_NAMES = new Set(
  'README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md LICENSE Dockerfile'.split(' '),
);

const kebabCase: Check = ({ path }) =>
  path
    .split('/')
    // A platform's folder is its slug, which may be written with underscores.
    .filter(
      (part, index, parts) =>
        !(parts[1] === 'events' && parts[2] === 'platforms' && index === 3 && /^[a-z0-9_]+$/.test(part)),
    )
    .filter((part) => !KEBAB.test(part) && !KNOWN_NAMES.has(part))
    .map((part) => `"${part}" is not kebab-case`);

const fileLength: Check = ({ path, text }) => {
  if (!isTypeScript(path)) return [];
  const limit = isTest(path) ? TEST_LINES_MAX : SOURCE_LINES_MAX;
  const lines = text.split('\n').length - 1;
  return lines > limit ? [`${lines} lines, more than ${limit}: split it by concept`] : [];
};

const opening: Check = ({ path, text }) => {
  if (!isProduct(path) || NAMED_ROLES.test(path) || text.split('\n').length < HEADER_FROM_LINES) return [];
  return /^(?:#!.*\n)?\s*\/[/*]/.test(text) ? [] : ['does not open with what it guarantees and refuses'];
};

const UNFINISHED = /\b(?:TODO|FIXME|HACK)\b/g;

const unfinished: Check = ({ text }) =>
  [...text.matchAll(UNFINISHED)].map(([word]) => `${word}: finish it or file it`);

const SILENCED = /@ts-(?:ignore|nocheck|expect-error)|v8 ignore|istanbul ignore/g;

const silenced: Check = ({ path, text }) =>
  isTypeScript(path) ? [...text.matchAll(SILENCED)].map(([word]) => `${word}: repair the cause`) : [];

const MACHINE_PATHS =
  /(?:file:\/\/|[\s"'`(=:]|^)(?:\/(?:home|Users|root|work|workspace|workspaces)\/[\w.]|[A-Z]:\\\\?[\w.])/gm;
const OUTSIDE = /\.\.\/shared\b/g;

const machinePaths: Check = ({ text }) => [
  ...[...text.matchAll(MACHINE_PATHS)].map(([match]) => `path of one machine: ${match.trim()}`),
  ...[...text.matchAll(OUTSIDE)].map(([match]) => `path outside the repository: ${match}`),
];

const oneTitle: Check = ({ path, text }) => {
  if (!isMarkdown(path)) return [];
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '');
  const titles = prose.match(/^# \S/gm)?.length ?? 0;
  const first = /^# \S/.test(text);
  return titles === 1 && first
    ? []
    : [`has ${titles} titles${first ? '' : ' and does not start with one'}; one "# Title" comes first`];
};

const plainText: Check = ({ text }) => {
  const complaints: string[] = [];
  if (text.startsWith('\ufeff')) complaints.push('starts with a byte order mark');
  if (text.includes('\r')) complaints.push('has carriage returns');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) complaints.push('has control characters');
  if (text.length > 0 && !text.endsWith('\n')) complaints.push('does not end with a line break');
  return complaints;
};

/** What a thing that runs in simulation must be handed instead of taking. */
const AMBIENT: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bhrtime\b/g, 'reads the clock'],
  [/\bMath\.random\b|\brandom(?:UUID|Bytes|Int|FillSync)\b|\bgetRandomValues\b/g, 'takes random bytes'],
  [/\bprocess\.(?:env|argv|cwd|exit)\b/g, 'reads the process'],
  [/\b(?:setTimeout|setInterval|setImmediate)\b/g, 'sets a timer'],
];
/** The edges: where the outside is let in. */
const EDGES = [
  /^lib\/adapters\//,
  /^cdk\//,
  /^services\/(?:local|events\/pixel|dashboard)\//,
  /^services\/(?:events|helpdesk|operator)\/[^/]+\/(?:lambda|handler|bundle)\.ts$/,
  // Runs at its callers' and needs nothing but `fetch`.
  /^lib\/client\/patience\.ts$/,
];

const ambient: Check = ({ path, text }) => {
  if (!isProduct(path) || EDGES.some((edge) => edge.test(path))) return [];
  const code = codeOf(text);
  return AMBIENT.flatMap(([pattern, what]) =>
    [...code.matchAll(pattern)].map(([match]) => `${match} ${what}: take it as a parameter`),
  );
};

/** Without comments and the contents of plain strings, roughly; template strings stay, they hold code. */
export function codeOf(text: string): string {
  return text.replaceAll(
    /\/\*[\s\S]*?\*\/|(?<![:\\'"`])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g,
    (match) => (match.startsWith('/') ? '' : "''"),
  );
}

const CLIMBING = /(?:\bfrom|\bimport|\bimport\()\s*'((?:\.\.\/){3,}[^'\n]+)'/g;
/** Of probes: code in a string. */
const QUOTED_CODE = /"(?:[^"\\\n]|\\.)*"/g;
/** Packages of their own: `#` means their own folders there. */
const OTHER_PACKAGES = /^test\/(?:fidelity|performance\/peers)\//;

/** What is far away is named from the top, so that a file can move without its imports. */
const farImports: Check = ({ path, text }) =>
  isTypeScript(path) && !OTHER_PACKAGES.test(path)
    ? [...text.replaceAll(QUOTED_CODE, '').matchAll(CLIMBING)].map(
        ([, from]) => `'${from}' climbs three folders: write '#lib/…'`,
      )
    : [];

const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

const exactPins: Check = ({ path, text }) => {
  if (!/(?:^|\/)package\.json$/.test(path)) return [];
  const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return groups.flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !EXACT_VERSION.test(version))
      .map(([name, version]) => `${name}@${version} is not an exact version`),
  );
};

const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

const publicLock: Check = ({ path, text }) => {
  if (!/(?:^|\/)package-lock\.json$/.test(path)) return [];
  const foreign = [...text.matchAll(/"resolved": "([^"]+)"/g)].filter(
    ([, url]) => !url?.startsWith(PUBLIC_REGISTRY),
  );
  return [...new Set(foreign.map(([, url]) => `${url} does not come from the public registry`))];
};

/** By name, for the report. */
export const CHECKS: Readonly<Record<string, Check>> = {
  emptyNames,
  kebabCase,
  fileLength,
  opening,
  unfinished,
  silenced,
  machinePaths,
  oneTitle,
  plainText,
  ambient,
  farImports,
  exactPins,
  publicLock,
};
/** What is generated answers to these alone. */
const OF_GENERATED = ['emptyNames', 'kebabCase', 'machinePaths', 'oneTitle', 'plainText', 'publicLock'];

/** `path: complaint (check)` for every complaint of every check that applies to the file. */
export function complaintsOf(file: SourceFile): string[] {
  const isAsked = (name: string): boolean => !isGenerated(file.path) || OF_GENERATED.includes(name);
  return Object.entries(CHECKS)
    .filter(([name]) => isAsked(name))
    .flatMap(([name, check]) => check(file).map((complaint) => `${file.path}: ${complaint} (${name})`));
}
