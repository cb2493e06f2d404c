// Goal: in any order in which two requests read a token and take it, one gets it and the family ends.
import { describe, expect, it } from 'vitest';
import { FAMILY_MAX_SEC, SignInStore, type SignIns } from './sign-in-store.ts';

const FAMILY = 'grant-1';
const payload = (kind: string) => ({ kind, grantId: FAMILY, exp: 60 });

function opened(before?: SignIns) {
  let nowMs = 1_000;
  let written: SignIns | undefined = before;
  let writes = 0;
  const file = {
    read: () => written,
    write: (signIns: SignIns) => {
      written = structuredClone(signIns);
      writes++;
    },
  };
  const store = new SignInStore(file, () => nowMs);
  return {
    codes: store.adapterOf('AuthorizationCode'),
    tokens: store.adapterOf('RefreshToken'),
    grants: store.adapterOf('Grant'),
    store,
    written: () => written,
    writes: () => writes,
    later: (sec: number) => {
      nowMs += sec * 1_000;
    },
  };
}

describe.each(['AuthorizationCode', 'RefreshToken'])('%s', (model) => {
  it('is taken by one of two that both saw it untaken; the family ends, and gets nothing more', async () => {
    const { store, tokens, grants } = opened();
    const adapter = store.adapterOf(model);
    await grants.upsert(FAMILY, { kind: 'Grant' }, 600);
    await adapter.upsert('one', payload(model), 60);
    const seen = [await adapter.find('one'), await adapter.find('one')];
    expect(seen.map((found) => found?.consumed)).toEqual([undefined, undefined]);
    await adapter.consume('one');
    await expect(adapter.consume('one')).rejects.toMatchObject({ error: 'invalid_grant' });
    // What the first one now wants to store for its answer.
    await expect(tokens.upsert('two', payload('RefreshToken'), 60)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect([await tokens.find('two'), await grants.find(FAMILY)]).toEqual([undefined, undefined]);
  });

  it('that was taken ends its family when it comes again, long after its own end', async () => {
    const { store, tokens, later } = opened();
    const adapter = store.adapterOf(model);
    await adapter.upsert('one', payload(model), 60);
    await adapter.consume('one');
    await tokens.upsert('two', payload('RefreshToken'), FAMILY_MAX_SEC);
    later(FAMILY_MAX_SEC - 1);
    expect(await tokens.find('two')).toBeDefined();
    expect((await adapter.find('one'))?.consumed).toBeDefined();
    expect(await tokens.find('two')).toBeUndefined();
  });
});

describe('the file', () => {
  it('has what was taken before the answer is sent, and forgets what is over', async () => {
    const first = opened();
    await first.codes.upsert('code', payload('AuthorizationCode'), 60);
    await first.codes.consume('code');
    const again = opened(first.written());
    await expect(again.codes.consume('code')).rejects.toThrow();
    again.later(FAMILY_MAX_SEC);
    await again.codes.upsert('other', { kind: 'AuthorizationCode', grantId: 'grant-2' }, 60);
    expect(again.written()?.records.map(({ id }) => id)).toEqual(['other']);
    expect(again.written()?.ended).toEqual([]);
  });

  it('is not written by people who only come to the door, and they cannot fill the memory', async () => {
    const { store, writes, written } = opened();
    const interactions = store.adapterOf('Interaction');
    for (let i = 0; i < 1_500; i++) await interactions.upsert(`i${i}`, { kind: 'Interaction' }, 600);
    expect([await interactions.find('i499'), writes(), written()]).toEqual([undefined, 0, undefined]);
    expect(await interactions.find('i500')).toBeDefined();
  });
});
