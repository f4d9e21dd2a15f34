import { SharedBudget } from '@sluice/core'
import type { IngestCall } from './ingest-call.ts'

/** Events of a call. More of them fit into a body of 4,000 KiB only when they are nearly empty. */
export const eventsPerCallMax = 20_000
/** Memory of the calls that are not in the log yet. The largest call is expected to take 75 MB of it. */
const bytesMax = 256 * 1_024 * 1_024
/** Bytes of an event whatever it contains: completed, and as text on its way into the log. As measured with V8. */
const eventBytes = 3_000
/** Memory of the parsed values and of their text for the log, per byte of the body. */
const memoryPerByte = 4

/**
 * Limits the memory of calls between their arrival and the log, where the events of all calls of a workspace are
 * completed in turns. Shared by workspaces: half of it is reserved for them in equal parts.
 */
export class CallBudget {
  readonly #budget = new SharedBudget(bytesMax)

  /** Takes room for a call. @returns the function that returns it, or undefined when there is none. */
  take(workspaceId: string, call: IngestCall): (() => void) | undefined {
    const share = this.#budget.share(workspaceId)
    if (!share.admits) return undefined
    const bytes = eventsOf(call) * eventBytes + (call.bytes ?? 0) * memoryPerByte
    share.take(bytes)
    return () => share.take(-bytes)
  }
}

/** Returns how many events a call carries, without a look at them. */
export function eventsOf({ type, payload }: IngestCall): number {
  const batch = type === 'batch' && typeof payload === 'object' ? (payload as { batch?: unknown } | null)?.batch : []
  return Array.isArray(batch) ? Math.max(1, batch.length) : 1
}
