// Where the development server of the pages is: beyond the ports of the host it works with.

const BEYOND = 80;
const PORT_MAX = 65_535;

/** For the address `origin_url` of a host. */
export const developmentPort = (originUrl: string): number => {
  const port = Number(new URL(originUrl).port);
  return port + BEYOND > PORT_MAX ? port - BEYOND : port + BEYOND;
};

export const developmentOrigin = (originUrl: string): string =>
  `http://127.0.0.1:${developmentPort(originUrl)}`;
