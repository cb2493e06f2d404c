// Runs the embedded host as a process that a test can kill. Prints one line of JSON, the session, when it is up.
//   node test/e2e/host-process.ts <port base> <data folder> <sweep interval, ms>
import { startHost } from '../../services/local/host.ts';
import { runningEmulators } from '../support/emulators.ts';

const [portBase = '0', dataDir = '', sweepIntervalMs = '2000'] = process.argv.slice(2);
const host = await startHost({
  portBase: Number(portBase),
  dataDir,
  emulators: runningEmulators(),
  hasHelpdeskSample: false,
  sweepIntervalMs: Number(sweepIntervalMs),
  onError: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write(`${JSON.stringify(host.session)}\n`);
process.on('SIGTERM', () => {
  void host.close().then(() => process.exit(0));
});
