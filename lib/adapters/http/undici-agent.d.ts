// The one class of undici that is used, from its own file: the package as a whole also loads fetch, WebSocket, caches and
// mocks, three quarters of the start of the function that delivers. Typed as the package types it.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';

  export default Agent;
}
