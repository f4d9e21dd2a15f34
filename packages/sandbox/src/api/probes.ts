import type { GuestApiPart } from './guest-api-part.ts'

/** The module that instrumented code imports. */
export const probeModule = '@sluice/probe'

/**
 * `@sluice/probe`: where instrumented code counts; there only in sandboxes with probes. What it exports is no promise to
 * user code, which may as well import it and count what it likes: that makes its own report wrong, nothing else.
 *
 * Untimed: `hits` (a Uint32Array) and `first`, to be used as `hits[i]++||first()`: counting takes place in the guest, and
 * the host hears at once of what was not hit before, so that it is known even if the thread is ended.
 *
 * Timed: time runs for one place at a time. `mark(i)` begins a piece of time for place i; `enter(i)` does too and
 * remembers whose turn it was, `leave(value)` gives it back and returns the value; `resume(i, value)` is `enter` after an
 * await and returns the value; `at(i, value)` is `mark` and returns the value; `stop()` ends the time of all. The clock
 * has whole milliseconds, because the engine's own costs a tenth of asking the host.
 */
export function probesPart(isTimed: boolean): GuestApiPart {
  return { modules: { [probeModule]: isTimed ? timedText : untimedText } }
}

const untimedText = `
const { numbers, first } = hostProbes
export { numbers as hits, first }
`

// Writes beside a typed array do nothing, so place -1, nobody's, needs no case of its own. Place and time are kept where
// the host finds them, for code that is interrupted; differences are right although 32 bits of the time are.
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
