// The programs that the emulators are installed and run with.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Programs {
  /** Python 3.11 that can make virtual environments. */
  readonly python: string;
}

const JAVA_MAJOR_MIN = 17;
const PYTHONS = ['python3.11', 'python3'];

/** What is there, or what is missing, in words. */
export async function findPrograms(): Promise<Programs | { readonly missing: string }> {
  const [java, maven, ...pythons] = await Promise.all([
    said('java', ['-version']),
    said('mvn', ['--version']),
    ...PYTHONS.map((name) => said(name, ['-c', 'import ensurepip, sys, venv; print(sys.version)'])),
  ]);
  const python = PYTHONS.find((_name, i) => pythons[i]?.startsWith('3.11.'));
  // `openjdk version "17.0.15"`
  const javaMajor = Number(/version "(\d+)/.exec(java ?? '')?.[1] ?? 0);
  const missing = [
    ...(javaMajor >= JAVA_MAJOR_MIN ? [] : [`Java ${JAVA_MAJOR_MIN} or later (java)`]),
    ...(maven === undefined ? ['Maven (mvn)'] : []),
    ...(python === undefined ? ['Python 3.11 with venv (python3.11)'] : []),
  ];
  return python === undefined || missing.length > 0 ? { missing: missing.join(', ') } : { python };
}

/** Its output; undefined when there is no such program, or it failed. */
async function said(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args]);
    return stdout + stderr;
  } catch {
    return undefined;
  }
}
