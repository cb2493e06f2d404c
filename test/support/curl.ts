// Commands that documents and our programs print, without a curl of the machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with a `curl` of this Node: what is printed needs no other program than the host does. */
export function curlFolder(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = `#!${process.execPath}
const headers = {};
let body, url, ending = '';
for (let args = process.argv.slice(2); args.length > 0; ) {
  const [first, second] = args;
  if (first === '-s') args = args.slice(1);
  else if (first === '-H') { headers[second.split(':')[0]] = second.slice(second.indexOf(':') + 1).trim(); args = args.slice(2); }
  else if (first === '-w') { ending = second; args = args.slice(2); }
  else if (first === '-d') { body = second; args = args.slice(2); }
  else { url = first; args = args.slice(1); }
}
const answer = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body });
process.stdout.write(await answer.text() + ending.replace('%{http_code}', answer.status));
`;
  writeFileSync(join(bin, 'package.json'), '{"type":"module"}');
  writeFileSync(join(bin, 'curl'), program, { mode: 0o755 });
  return bin;
}
