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
  return { modules: { [probeModule]: isTimed ? timedText : untimedText } }
}

const untimedText = `
const { numbers, first } = hostProbes
export { numbers as hits, first }
`

// Writes beyond the end of a typed array have no effect, so place -1, which means no place, needs no special case.
// Place and time are stored where the host finds them if code is interrupted. Differences of times are right although
// only 32 bits are stored.
const timedText = `
const { numbers, count, now } = hostProbes
const hits = numbers.subarray(0, count)
const times = numbers.subarray(count, 2 * count)
const pieces = numbers.subarray(2 * count, 3 * count)
const current = numbers.subarray(3 * count)
current[0] = -1
const heightMax = 4096
const below = new Int32Array(heightMax)
let height = 0
export function mark(i) {
  hits[i]++
  const at = now()
  times[current[0]] += at - current[1]
  current[1] = at
  current[0] = i
  pieces[i]++
}
export function at(i, value) {
  mark(i)
  return value
}
export function enter(i) {
  if (height < heightMax) below[height] = current[0]
  height++
  mark(i)
}
export function resume(i, value) {
  enter(i)
  hits[i]--
  return value
}
export function leave(value) {
  const at = now()
  times[current[0]] += at - current[1]
  current[1] = at
  const place = height > 0 && --height < heightMax ? below[height] : -1
  current[0] = place
  pieces[place]++
  return value
}
export function stop() {
  height = 0
  leave()
}
`
