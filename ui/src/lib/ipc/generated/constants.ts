// Bounds that the core sets. Generated, as all files here.

/** The most attempts one run makes, whatever `retries` says. */
export const MAX_ATTEMPTS = 20;
