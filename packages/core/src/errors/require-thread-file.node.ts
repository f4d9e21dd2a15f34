import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A thread whose file is not beside the module that starts it. */
export class ThreadFileMissingError extends Error {
  override readonly name = 'ThreadFileMissingError'

  constructor(purpose: string, file: string) {
    super(
      `the file of the thread ${purpose} is missing: ${file}. A bundler has left it out; keep the packages of Sluice outside of the bundle (see "With a bundler" in the guide to mounting)`,
    )
  }
}

/**
 * Checks that the file of a thread is there. A thread without its file ends like one that ran out of memory, at each
 * start: this says why.
 *
 * @param purpose what the thread is for, as in "of user code".
 * @throws ThreadFileMissingError
 */
export function requireThreadFile(entry: URL, purpose: string): void {
  if (entry.protocol !== 'file:') return
  const file = fileURLToPath(entry)
  if (!existsSync(file)) throw new ThreadFileMissingError(purpose, file)
}
