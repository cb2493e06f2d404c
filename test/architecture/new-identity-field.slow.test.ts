// "A new field of identity": added to the schema and to one platform in a copy of the repository. Whatever place is forgotten,
// the compiler or a test names it; with all of them in place its digest goes from a request to the platform's.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyRepository } from '../support/repository-copy.ts';
import { apply, DIGEST, EXPECTED, FACTS, NORMALIZER, RULE, TYPED, WISH } from './new-identity-field.ts';

const repository = copyRepository('new-identity-field');
const { run, path: copy } = repository;

afterAll(() => repository.remove());

/** The files that have to name a field, with what they import: the whole repository takes the compiler three times as long. */
const PLACES = 'tsconfig.places.json';
const FILES = [
  'lib/adapters/vault/hashed-codec.ts',
  'lib/events/domain/identity/field-facts.ts',
  'lib/events/pipeline/erasure/subject.ts',
  'lib/events/platforms/pinterest/user-data.ts',
  'services/events/api/events/sample-person.ts',
  'test/conformance/fields/identity-lists.test.ts',
  'test/support/sample-event.ts',
];
beforeAll(() =>
  writeFileSync(join(copy, PLACES), JSON.stringify({ extends: './tsconfig.json', include: FILES })),
);

/** Each of its usual four checks again what they share. */
const ONE_CHECKER = ['--checkers', '1'];

/** What the compiler says, a line for each error. */
async function compile(project = '.'): Promise<string> {
  const { stdout } = await run(
    ...['node_modules/typescript/bin/tsc', '-p', project, '--pretty', 'false', ...ONE_CHECKER],
    ...['--incremental', '--tsBuildInfoFile', join(copy, `${project.replaceAll(/\W/g, '-')}.tsbuildinfo`)],
  );
  return stdout;
}

interface Tested {
  readonly passed: readonly string[];
  /** Name and message. */
  readonly failed: readonly string[];
}

async function tests(...files: readonly string[]): Promise<Tested> {
  const report = join(copy, 'report.json');
  // In one process: a second one would load again what all of them import.
  await run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--no-file-parallelism',
    '--reporter=json',
    `--outputFile=${report}`,
    ...files,
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: readonly {
      assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] }[];
    }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (status: string) => all.filter((one) => one.status === status);
  return {
    passed: of('passed').map(({ fullName }) => fullName),
    failed: of('failed').map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(' ')}`),
  };
}

const FIELDS = 'test/conformance/fields';
const PERSON = 'test/conformance/platforms/person.test.ts';
const NORMALIZE = 'lib/events/domain/identity/normalize.test.ts';

describe('a field that is only in the schema and in the payload', () => {
  beforeAll(() => apply(copy, ...WISH));

  it('does not compile, and each error names a place', async () => {
    const said = await compile(PLACES);
    for (const line of [
      /pinterest\/user-data\.ts.*'loyaltyId' does not exist on type 'HashedIdentity'/,
      /identity\/field-facts\.ts[\s\S]*?'loyalty_id' is missing/,
      /api\/events\/sample-person\.ts[\s\S]*?'?loyalty_id'? is missing/,
    ])
      expect(said).toMatch(line);
  });
});

describe('a digest that is declared', () => {
  beforeAll(() => apply(copy, DIGEST));

  it('does not compile before it belongs to a field', async () => {
    expect(await compile(PLACES)).toContain('a digest that no field in FIELD_FACTS becomes');
  });

  it('does not compile before it is stored, erased, sampled and followed', async () => {
    apply(copy, FACTS);
    const said = await compile(PLACES);
    expect(said).not.toMatch(/^lib\/events\/domain\/identity\/field-facts\.ts/m);
    for (const file of [
      'lib/adapters/vault/hashed-codec.ts',
      'lib/events/pipeline/erasure/subject.ts',
      'test/support/sample-event.ts',
      'test/conformance/fields/identity-lists.test.ts',
    ])
      expect(said, file).toMatch(new RegExp(`^${file}[^\\n]*'loyaltyId' is missing`, 'm'));
    expect(said).toMatch(/^services\/events\/api\/events\/sample-person\.ts[\s\S]*?loyalty_id/m);
    expect(await compile('services/dashboard/src')).toMatch(
      /rule-words\.ts[\s\S]*?'"user_data\.loyalty_id"' is missing/,
    );
  });
});

describe('a field that every list follows', () => {
  it('fails the tests that look for its normalization and for its rule in words', async () => {
    apply(copy, ...TYPED);
    const { failed } = await tests(`${FIELDS}/event-fields.test.ts`, NORMALIZE);
    const names = failed.map((one) => one.slice(0, one.indexOf(':')));
    expect(names).toContain(
      'the event schema user_data.loyalty_id reaches a platform, or is kept here on purpose',
    );
    expect(names).toContain('normalizeIdentity has rules for every field of the schema');
    expect(failed.join('\n')).toContain('loyalty_id');
  });

  it('fails the test of the platform whose expectations do not name it', async () => {
    apply(copy, ...NORMALIZER, ...RULE);
    const { failed } = await tests(PERSON);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('data[].user_data.loyalty_id[] is no field of a person at pinterest');
  });
});

describe('a field with every place in order', () => {
  beforeAll(() => apply(copy, EXPECTED));

  it('compiles', async () => {
    expect(await compile()).toBe('');
    expect(await compile('services/dashboard/src')).toBe('');
  });

  it('goes from the request at ingestion to that of the platform', async () => {
    const { passed, failed } = await tests(FIELDS, PERSON, NORMALIZE);
    expect(failed).toEqual([]);
    for (const name of [
      'user_data.loyalty_id reaches through all stages every platform that takes it',
      'the digest loyaltyId is there again when it was sealed and opened',
    ])
      expect(passed).toContain(name);
  });
});
