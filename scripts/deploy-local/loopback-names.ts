// Names below `localhost` and `localhost.localstack.cloud` are this machine, without asking a DNS server: LocalStack's function URLs
// are such names, the machine may be offline, and many routers withhold public names of private addresses. To be imported.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';

type Answer = (error: Error | null, address: string | LookupAddress[], family?: number) => void;
const LOOPBACK = { address: '127.0.0.1', family: 4 } as const;
const { lookup } = dns;

dns.lookup = ((host: string, options: LookupOptions | Answer, callback?: Answer) => {
  const answer = (typeof options === 'function' ? options : callback) as Answer;
  if (!/\.localhost(?:\.localstack\.cloud)?$/.test(host))
    return lookup(host, typeof options === 'function' ? {} : options, answer);
  const wantsAll = typeof options === 'object' && options.all === true;
  queueMicrotask(() =>
    wantsAll ? answer(null, [LOOPBACK]) : answer(null, LOOPBACK.address, LOOPBACK.family),
  );
}) as typeof dns.lookup;
