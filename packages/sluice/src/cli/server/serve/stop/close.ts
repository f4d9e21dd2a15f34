import type { Deadline } from '@sluice/core'

/** Closes a resource within the remaining stop time. */
export type Close = (deadline: Deadline) => Promise<unknown>
