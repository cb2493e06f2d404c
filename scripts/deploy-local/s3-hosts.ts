// The hosts of Amazon S3, before an emulator: what deployed functions send to a bucket whose name begins with `emulated-` reaches the
// emulator's own S3 as it would reach Amazon's, host, headers and bytes unchanged.
import { type IncomingMessage, request, type ServerResponse } from 'node:http';

const PATH = /^\/(emulated-[a-z0-9-]+\.s3\.[a-z0-9-]+\.amazonaws\.com)(\/.*)$/;

/** To stand beside the platforms in the sandbox. */
export const s3Hosts =
  (endpoint: string) =>
  async (asked: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [, host, path] = PATH.exec(asked.url ?? '') ?? [];
    if (host === undefined || path === undefined) return false;
    const { hostname, port } = new URL(endpoint);
    const { method, headers } = asked;
    await new Promise<void>((resolve, reject) => {
      const passed = request({ hostname, port, method, path, headers: { ...headers, host } }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.once('end', resolve);
      });
      passed.once('error', reject);
      asked.pipe(passed);
    });
    return true;
  };
