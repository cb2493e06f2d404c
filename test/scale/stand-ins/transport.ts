// Instead of lib/adapters/http/transport.ts.
import type { Transport } from '#lib/core/ports/transport.ts';
import { outside } from './region.ts';

export const createTransport = (): Transport => outside().transport;
