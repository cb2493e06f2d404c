// Anybody may send browser events, of any id, name and amount, at any time: no sequence of them changes what a platform
// counts for a server event. A run is one seed in which every logical event of a server is attacked under its own id, under
// every weather the storms know.
import { type RunOptions, runSeed } from '../run.ts';
import { everySeed, figure, type Proof } from './proof.ts';

/** Every few seeds nothing else goes wrong, so that nothing but the attack can be what was noticed. */
const CALM_EVERY = 3;

export const openDoor: Proof = {
  name: 'open-door',
  properties: ['G24'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, async (seed) => {
      const { world, violations } = await runSeed({ ...attackOf(seed), mutation: options.mutation });
      const { acceptances } = world.ledger;
      const servers = acceptances.filter(({ key }) => key.channel === 'server');
      const counted = [...world.vendors.values()].flatMap((vendor) =>
        servers.filter(({ nonce }) => vendor.copies().has(nonce)),
      );
      return {
        violations,
        figures: { attacks: acceptances.length - servers.length, counted: counted.length },
      };
    });
    const displaced = findings.filter(({ property }) => property === 'G24').length;
    const sentence = `${figure(sum.attacks)} anonymous events under ids of servers: ${displaced} of ${figure(sum.counted)} server events displaced at a platform`;
    return { findings, figures: { G24: sentence } };
  },
};

function attackOf(seed: number): RunOptions {
  const traffic = { attackRate: 1, nextDayRate: 0, poisonRate: 0 };
  return seed % CALM_EVERY === 0 ? { seed, traffic, spells: () => [], undisturbed: true } : { seed, traffic };
}
