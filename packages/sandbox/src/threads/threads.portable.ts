import type { ThreadsPort } from '../pool/threads-port.ts'

/** Runs of user code share the calling thread. */
export const threads: ThreadsPort | undefined = noThreads()

function noThreads(): ThreadsPort | undefined {
  return undefined
}
