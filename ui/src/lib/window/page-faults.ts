// Errors in the page that nothing caught. They are said like those of the service: what has stopped
// answering without a word is taken for a broken key or mouse.

/** Reports every error that nothing caught, until it is called off. */
export function watchFaults(report: (error: unknown) => void): () => void {
  const failed = ({ error }: ErrorEvent) => {
    // The browser's own notes, as that a ResizeObserver was called late, come without an error.
    if (error instanceof Error) report(error);
  };
  const rejected = ({ reason }: PromiseRejectionEvent) => report(reason);
  addEventListener('error', failed);
  addEventListener('unhandledrejection', rejected);
  return () => {
    removeEventListener('error', failed);
    removeEventListener('unhandledrejection', rejected);
  };
}
