import type { Clock } from '@sluice/core'
import { type SuppressStage, suppressedReason } from '@sluice/regulation'
import type { SourcedRequest } from '../destination-path.ts'
import { untilDone } from '../until-done.ts'
import { recordsAllowed } from './records-allowed.ts'

/** The suppress stage once more, for requests that are about to be sent. */
interface SuppressionRecheck {
  /**
   * Returns a reason to drop each request, undefined to send it; undefined instead of a promise when all can be sent at
   * once. While the suppress stage fails, it waits and repeats it: nothing may be sent unchecked, and requests of the same
   * batch that were sent already must not be sent twice. @throws the abort reason once `signal` is aborted.
   */
  reasonsToDrop(
    requests: readonly SourcedRequest[],
    signal: AbortSignal,
  ): Promise<readonly (string | undefined)[]> | undefined
  /**
   * Called before `reasonsToDrop`. The function it returns is asked when the requests have their connection: whether no
   * regulation that might stop them has come since. It answers at once, and may stop requests that the check then allows.
   */
  recheckBeforeWrite(): (requests: readonly SourcedRequest[]) => boolean
}

/**
 * Creates the check that runs the suppress stage again right before requests are sent, on the accepted event and on what
 * user code made of it: a regulation may come while a request waits for its turn, for a retry or for its connection.
 */
export function createSuppressionRecheck(parts: {
  readonly suppress: SuppressStage
  readonly clock: Clock
  onError?(error: unknown): void
}): SuppressionRecheck {
  const reasons = async (requests: readonly SourcedRequest[], signal: AbortSignal) => {
    const records = requests.map(({ source, output }) => ({ source, outputs: output === source ? [] : [output] }))
    const allowed = new Set(await untilDone(() => recordsAllowed(parts, records, signal), { ...parts, signal }))
    return records.map((record) => (allowed.has(record) ? undefined : suppressedReason))
  }
  const mayStop = ({ source, output }: SourcedRequest): boolean =>
    parts.suppress.mayStop(source) || (output !== source && parts.suppress.mayStop(output))
  return {
    reasonsToDrop: (requests, signal) => (requests.some(mayStop) ? reasons(requests, signal) : undefined),
    recheckBeforeWrite() {
      const { position } = parts.suppress
      return (requests) => parts.suppress.position === position || !requests.some(mayStop)
    },
  }
}
