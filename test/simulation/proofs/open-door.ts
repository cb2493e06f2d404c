// Anybody may send browser events, of any id, name and amount, at any time: no sequence of them changes what a platform
// counts for a server event. A run is one seed in which every logical event of a server is attacked under its own id, under
// every weather the storms know.
import { type RunOptions, runSeed } from '../run.ts';
import { type Finding, figure, type Proof, type ProofOptions } from './proof.ts';

/** Every few seeds nothing else goes wrong, so that nothing but the attack can be what was noticed. */
const CALM_EVERY = 3;

export const openDoor: Proof = {
  name: 'open-door',
  properties: ['G24'],
  run: async ({ seed, runs, mutation }: ProofOptions) => {
    const findings: Finding[] = [];
    let attacks = 0;
    let counted = 0;
    for (let i = 0; i < runs; i++) {
      const { world, violations } = await runSeed({
        ...attackOf(seed + i),
        ...(mutation ? { mutation } : {}),
      });
      findings.push(...violations.map((violation) => ({ ...violation, seed: seed + i })));
      const { acceptances } = world.ledger;
      const servers = acceptances.filter(({ key }) => key.channel === 'server');
      attacks += acceptances.length - servers.length;
      for (const vendor of world.vendors.values())
        counted += servers.filter(({ nonce }) => vendor.copies().has(nonce)).length;
    }
    const displaced = findings.filter(({ property }) => property === 'G24').length;
    const sentence = `${figure(attacks)} anonymous events under ids of servers: ${displaced} of ${figure(counted)} server events displaced at a platform`;
    return { findings, figures: { G24: sentence } };
  },
};

function attackOf(seed: number): RunOptions {
  const traffic = { attackRate: 1, nextDayRate: 0, poisonRate: 0 };
  return seed % CALM_EVERY === 0 ? { seed, traffic, spells: () => [], undisturbed: true } : { seed, traffic };
}
