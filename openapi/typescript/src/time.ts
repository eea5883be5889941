// Delays and timeouts.

/** A longer timeout would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** Resolves after that many milliseconds; rejects when the signal is aborted. */
export const waited = (milliseconds: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((done, failed) => {
    if (signal?.aborted) return failed(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, Math.min(milliseconds, LONGEST));
    signal?.addEventListener("abort", stop, { once: true });
  });

/** Rejects if the promise takes longer than that many milliseconds. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error(`nothing was received for ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
