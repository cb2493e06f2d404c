// A queue that hands out a second copy of a message as another first receive: two workers send without a lease, and whoever
// finds the other's success notes that there may be a second copy. A run is one seed in which nobody dies and no call fails.
import { runSeed } from '../run.ts';
import { everySeed, figure, type Proof } from './proof.ts';

export const COPIES_LOOK_FIRST = { duplicateRate: 0.5, duplicatesLookFirst: true } as const;

const WEATHER = { ...COPIES_LOOK_FIRST, faultRate: 0, crashRate: 0, slowRate: 0 };

export const copies: Proof = {
  name: 'copies',
  properties: ['G8'],
  run: async (options) => {
    const { mutation } = options;
    const { findings, sum } = await everySeed(options, (seed) =>
      runSeed({ seed, weather: WEATHER, mutation }),
    );
    const { duplicates, copies, unknowns } = sum;
    const sentence = `${figure(duplicates)} copies handed out as first: ${figure(copies)} surplus at platforms, ${figure(unknowns)} unknown: ${figure(findings.length)} not covered`;
    return { findings, figures: { G8: sentence } };
  },
};
