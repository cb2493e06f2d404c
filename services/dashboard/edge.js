// The pages' one rule at the edge: a path that is no file of the site is a page of the app, and the app is index.html.
// CloudFront runs this file as its viewer-request function (runtime 2.0), the local host runs it as it is. It must not be
// CloudFront's error responses that do this: they are for a whole distribution and would replace what the APIs answer.
const FILES = ['/index.html', '/config.json', '/favicon.svg'];

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  const request = event.request;
  // By its folder, not by a dot: ids of events are part of paths, and may have one.
  if (!request.uri.startsWith('/assets/') && !FILES.includes(request.uri)) request.uri = '/index.html';
  return request;
}
