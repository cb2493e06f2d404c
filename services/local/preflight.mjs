// What must hold before the host can start. Plain JavaScript of old Node versions and no packages, because it has to say
// "wrong Node" and "not installed" by itself. Run as a program it prints one sentence and exits with 1 when something is wrong.
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** TypeScript runs without a build from here on. */
const NODE_MAJOR_MIN = 24;
/** One for each kind of thing this host needs: emulators, the issuer, the CDK app, the SDK. */
const PACKAGES = ['dynalite', 'fauxqs', 'oidc-provider', 'aws-cdk-lib', '@aws-sdk/client-dynamodb', 'zod'];
const PORT_BASE_DEFAULT = '4100';
const DATA_DIR_DEFAULT = '.local';
const PORT_MAX = 65_535;

/** Offsets from the port base. */
export const PORTS = {
  ingestion: 0,
  api: 1,
  sandbox: 2,
  dynamodb: 3,
  sqs: 4,
  issuer: 5,
  origin: 6,
  'helpdesk-api': 7,
  'operator-admin': 8,
  'operator-reader': 9,
};

/** What the environment says; `problem` where it says something impossible. */
export function readSettings(env, cwd) {
  const text = (env.MILLRACE_PORT_BASE || PORT_BASE_DEFAULT).trim();
  const portBase = Number(text);
  const last = PORT_MAX - Math.max(...Object.values(PORTS));
  const valid = /^\d+$/.test(text) && portBase >= 1 && portBase <= last;
  return {
    portBase,
    dataDir: resolve(cwd, env.MILLRACE_DATA_DIR || DATA_DIR_DEFAULT),
    problem: valid ? null : `MILLRACE_PORT_BASE is "${text}": it must be a port number from 1 to ${last}.`,
  };
}

/** The first thing that is wrong, as one sentence; null when the host can start. */
export async function findProblem(settings, nodeVersion = process.versions.node, root = ROOT) {
  const major = Number(nodeVersion.split('.')[0]);
  if (!(major >= NODE_MAJOR_MIN)) {
    return `Millrace runs on Node.js ${NODE_MAJOR_MIN} or later, this is ${nodeVersion}: run "npm ci", which installs a fitting one for this folder, then "npm start".`;
  }
  for (const name of PACKAGES) {
    if (!(await readable(join(root, 'node_modules', name, 'package.json')))) {
      return `Millrace's dependencies are not installed (${name} is missing): run "npm ci" first.`;
    }
  }
  if (settings.problem !== null) return settings.problem;
  return (await folderProblem(settings.dataDir)) || (await portProblem(settings.portBase));
}

async function readable(path) {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

async function folderProblem(dataDir) {
  const probe = join(dataDir, `.write-test-${process.pid}`);
  try {
    await makeFolder(dataDir);
    await writeFile(probe, '');
    await rm(probe);
    return null;
  } catch (error) {
    return `Millrace cannot write to ${dataDir} (${error.code || error.message}): make it writable, or set MILLRACE_DATA_DIR to a folder that is.`;
  }
}

/** Step by step: Node's own `recursive` never comes back where a folder that is there takes none (/proc). */
async function makeFolder(path) {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (error.code === 'EEXIST') return;
    const above = dirname(path);
    // What is above is there, and refuses: asking it again would change nothing.
    if (error.code !== 'ENOENT' || above === path || (await readable(above))) throw error;
    await makeFolder(above);
    await mkdir(path, { mode: 0o700 });
  }
}

async function portProblem(portBase) {
  for (const [use, offset] of Object.entries(PORTS)) {
    const code = await listenError(portBase + offset);
    if (code !== null) return busyPort(portBase + offset, use, code);
  }
  return null;
}

export function busyPort(port, use, code) {
  const why = code === 'EADDRINUSE' ? 'is already in use' : `cannot be opened (${code})`;
  const count = Object.keys(PORTS).length;
  return `Port ${port} of 127.0.0.1, meant for ${use}, ${why}: stop what uses it, or set MILLRACE_PORT_BASE to the first of ${count} free ports.`;
}

function listenError(port) {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error) => done(error.code || error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => done(null)));
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const problem = await findProblem(readSettings(process.env, process.cwd()));
  if (problem !== null) {
    console.error(problem);
    process.exit(1);
  }
}
