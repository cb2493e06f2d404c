// `npm run check:rooms`: the import rules, without a test runner around them.
import { cruise, ROOT } from './cruise.ts';

const { modules, files, violations } = cruise(ROOT);
const unseen = files.filter((file) => !modules.includes(file));
for (const file of unseen) console.error(`not seen: ${file}`);
for (const { rule, from, to } of violations) console.error(`${rule}: ${from} → ${to}`);
console.log(`rooms: ${modules.length} of ${files.length} modules seen, ${violations.length} violations`);
process.exitCode = files.length === 0 || unseen.length > 0 || violations.length > 0 ? 1 : 0;
