// `sign-ins.json` in the data folder: who is signed in, for the next start. Readable by its owner only, as it holds tokens.
// Refuses: a file that holds something else; nothing in it is worth guessing, but a start that ignores it would let taken tokens
// be taken again.
import * as z from 'zod';
import type { DataDir } from '../data-dir.ts';
import { unusable } from '../problem.ts';
import type { SignInFile, SignIns } from './sign-in-store.ts';

const FILE = 'sign-ins.json';

const schema = z.object({
  records: z.array(
    z.object({
      model: z.string(),
      id: z.string(),
      payload: z.record(z.string(), z.unknown()),
      untilMs: z.number(),
    }),
  ),
  ended: z.array(z.tuple([z.string(), z.number()])),
});

/** Reads at once: before anything else in the folder is touched. */
export function openSignInFile(dataDir: DataDir): SignInFile {
  const found = readSignIns(dataDir);
  return { read: () => found, write: (signIns) => dataDir.writeJson(FILE, signIns) };
}

function readSignIns(dataDir: DataDir): SignIns | undefined {
  const value = dataDir.readJson(FILE);
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw unusable(dataDir.path, `${FILE} does not hold what it should`);
  return parsed.data as SignIns;
}
