// `npm run golden -- "<what changed>"`: writes the items that have no golden file yet. Files that exist stay as they are: a
// format that changed takes the next number, and its sample a new name.
import { type GoldenKind, writeGolden } from './golden-files.ts';
import { writtenItems } from './written-items.ts';

const about = process.argv[2];
if (about === undefined) throw new Error('say what is new: npm run golden -- "format 3: …"');
for (const [kind, items] of Object.entries(await writtenItems(about)))
  for (const golden of items) {
    const fresh = writeGolden(kind as GoldenKind, golden);
    process.stdout.write(`${fresh ? 'written' : 'kept   '} ${kind}/${golden.name}\n`);
  }
