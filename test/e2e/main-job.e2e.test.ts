// Goal: the main job holds end to end. Method: from outside, against the stack MILLRACE_SESSION_FILE names, or else against
// an embedded host of this test's own.
import { describe, expect, it } from 'vitest';
import { isEmbedded, useStack } from './hosts.ts';
import { mainJob } from './main-job.ts';

const { session, errors } = useStack();

describe('one event in', () => {
  it('is accepted, normalized, delivered once to each platform, readable and counted', async () => {
    const figures = await mainJob(session());
    console.log(JSON.stringify(figures));
    // A lone event waits for no batch; loose, because this machine may be busy. `npm run bench` has the figure.
    if (isEmbedded) expect(figures.deliveredAfterMs).toBeLessThan(10_000);
    expect(errors).toEqual([]);
  });

  it('fails the check when a platform does not have it: the check can fail', async () => {
    await expect(mainJob({ ...session(), api_key: 'evk_test_none' })).rejects.toThrow();
  });
});
