/** The address when it is one of the web; undefined for everything else: vendors refuse page addresses without a scheme. */
export function webUrl(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//i.test(url) ? url : undefined;
}
