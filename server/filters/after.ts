/** What a filter does when the answer is there: at once when it came at once, as most answers from the cache do. */

/**
 * Runs, then tells of the answer or of what was thrown, and passes it on. A promise is made only where `run` makes one: it would cost
 * a read of the cache as much as the read.
 */
export function after<T>(
  run: () => T | Promise<T>,
  answered: (value: T) => void,
  failed: (error: unknown) => void,
): T | Promise<T> {
  let value: T | Promise<T>;
  try {
    value = run();
  } catch (error) {
    failed(error);
    throw error;
  }
  if (value instanceof Promise) return later(value, answered, failed);
  answered(value);
  return value;
}

async function later<T>(
  coming: Promise<T>,
  answered: (value: T) => void,
  failed: (error: unknown) => void,
): Promise<T> {
  let value: T;
  try {
    value = await coming;
  } catch (error) {
    failed(error);
    throw error;
  }
  answered(value);
  return value;
}
