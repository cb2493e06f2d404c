/** An id is taken for this long after it was accepted; a browser and a server event of one id further apart are two events. */
export const DEDUP_WINDOW_MS = 86_400_000;
