// The short versions of every proof, on fixed seeds. A failure prints what `npm run prove` needs to replay it.
import { describe, expect, it } from 'vitest';
import { PROOFS } from './proofs/every-proof.ts';

const SEED = 1;

describe('promises, proven on fixed seeds', () => {
  for (const { proof, short } of PROOFS) {
    it(`${proof.name}: ${proof.properties.join(', ')}`, async () => {
      const { findings, figures } = await proof.run({ seed: SEED, runs: short });
      expect(findings.slice(0, 10)).toEqual([]);
      for (const property of proof.properties) expect(figures[property]).toBeDefined();
    });
  }
});
