import { timedProbeModule, untimedProbeModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'

/** The module that instrumented code imports. */
const probeModule = '@sluice/probe'

/**
 * `@sluice/probe`: counters for instrumented code; exists only in sandboxes with probes. Its exports are not a public
 * API. User code may import it and count what it likes, but that only falsifies its own report.
 *
 * Untimed: `hits` (a Uint32Array) and `first`, used as `hits[i]++||first()`. The guest counts by itself and informs the
 * host immediately of each first hit, so that the hit is known even if the thread is terminated.
 *
 * Timed: time is attributed to one place at a time. `mark(i)` starts a period for place i. `enter(i)` does the same and
 * remembers the previous place; `leave(value)` restores that place and returns the value. `resume(i, value)` is `enter`
 * after an await and returns the value. `at(i, value)` is `mark` and returns the value. `stop()` ends all periods. The
 * clock has a resolution of a millisecond, because the engine's own clock costs a tenth of a host call.
 */
export function probesPart(isTimed: boolean): GuestApiPart {
  return { modules: { [probeModule]: isTimed ? timedProbeModule : untimedProbeModule } }
}
