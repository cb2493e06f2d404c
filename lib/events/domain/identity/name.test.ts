import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_LOOKUPS as lookups } from '#test/support/no-lookups.ts';
import { normalizeIdentity } from './normalize.ts';

const sha = (text: string) => hash('sha256', text);
const shaOr = (text: string | undefined) => (text === undefined ? undefined : sha(text));

describe('names', () => {
  it.each([
    { name: ' Mary ', plain: 'mary', google: 'mary', alnum: 'mary' },
    { name: 'Mary-Jane', plain: 'maryjane', google: 'maryjane', alnum: 'maryjane' },
    { name: 'Mary  Jane', plain: 'maryjane', google: 'mary jane', alnum: 'maryjane' },
    { name: "O'Brien", plain: 'obrien', google: 'obrien', alnum: 'obrien' },
    { name: 'O’Brien', plain: 'obrien', google: 'obrien', alnum: 'obrien' },
    { name: 'Mrs. Mary', plain: 'mrsmary', google: 'mary', alnum: 'mrsmary' },
    { name: 'Smith, Jr.', plain: 'smithjr', google: 'smith', alnum: 'smithjr' },
    { name: 'Jr.', plain: 'jr', google: 'jr', alnum: 'jr' },
    { name: 'Dr.', plain: 'dr', google: 'dr', alnum: 'dr' },
    { name: 'John 3rd', plain: 'john3rd', google: 'john rd', alnum: 'john3rd' },
    { name: 'Valéry', plain: 'valéry', google: 'valéry', alnum: 'valry' },
    { name: 'Vale\u0301ry', plain: 'val\u00e9ry', google: 'val\u00e9ry', alnum: 'valry' },
    { name: 'VALE-\u0301RY', plain: 'val\u00e9ry', google: 'val\u00e9ry', alnum: 'valry' },
    { name: 'José María', plain: 'josémaría', google: 'josé maría', alnum: 'josmara' },
    { name: '정', plain: '정', google: '정', alnum: undefined },
    { name: 'Ａnna', plain: 'ａnna', google: 'ａnna', alnum: 'nna' },
    { name: 'Anna ❤️', plain: 'anna', google: 'anna', alnum: 'anna' },
    { name: 'An\u200bna', plain: 'anna', google: 'anna', alnum: 'anna' },
    { name: 'An\tna', plain: 'anna', google: 'an na', alnum: 'anna' },
    { name: 'Αλέξης', plain: 'αλέξης', google: 'αλέξης', alnum: undefined },
    { name: '007', plain: '007', google: undefined, alnum: '007' },
  ])('$name', ({ name, plain, google, alnum }) => {
    const { hashed, plain: kept, issues } = normalizeIdentity({ first_name: name, last_name: name }, lookups);
    const digests = [sha(plain), shaOr(google), shaOr(alnum)];
    expect([hashed.firstName, hashed.firstNameGoogle, hashed.firstNameAlnum]).toEqual(digests);
    expect([hashed.lastName, hashed.lastNameGoogle, hashed.lastNameAlnum]).toEqual(digests);
    expect([kept.firstName, kept.lastName]).toEqual(Array(2).fill(name.trim().replace('\u200b', '')));
    expect(issues).toEqual([]);
  });

  it.each(['-', '...', '❤️', '\u0000'])('leaves out %j, of which nothing remains', (first_name) => {
    expect(normalizeIdentity({ first_name }, lookups)).toEqual({
      hashed: {},
      raw: {},
      plain: {},
      issues: [{ field: 'first_name', code: 'empty' }],
    });
  });

  it('refuses an MD5: no platform takes it', () => {
    const { hashed, issues } = normalizeIdentity({ last_name: hash('md5', 'smith') }, lookups);
    expect(hashed).toEqual({});
    expect(issues).toEqual([{ field: 'last_name', code: 'malformed' }]);
  });
});

describe('gender', () => {
  const F = ['f', 'F', ' Female ', 'woman', 'Girl', 'she', 'Mrs.', 'weiblich', 'Mujer', 'féminin'];
  const M = ['m', 'M', 'male', 'Man', 'boy', 'he', 'Mr', 'männlich', 'ma\u0308nnlich', 'hombre', 'masculino'];
  it.each([...F.map((word) => [word, 'f']), ...M.map((word) => [word, 'm'])])(
    '%s is %s',
    (gender = '', letter = '') => {
      const said = normalizeIdentity({ gender }, lookups);
      expect(said).toMatchObject({ hashed: { gender: sha(letter) }, issues: [] });
    },
  );

  const NONE = ['other', 'x', 'unknown', 'neither', 'maybe', 'fe', '1', 'constructor', '__proto__'];
  it.each(NONE)('%s is left out', (gender) => {
    const { hashed, issues } = normalizeIdentity({ gender }, lookups);
    expect(hashed).toEqual({});
    expect(issues).toEqual([{ field: 'gender', code: 'unknown_gender' }]);
  });

  const N = ['n', ' N ', 'nb', 'non-binary', 'Nonbinary', 'divers', sha('n')];
  it.each(N)('%s is n where a platform takes it, and nothing to the others', (gender) => {
    expect(normalizeIdentity({ gender }, lookups).hashed).toEqual({ genderOrN: sha('n') });
  });
});
